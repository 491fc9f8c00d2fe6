import { type HttpResponse, httpResponse } from '@vdo/base/http';
import { type Profile, publishedName, versionsBefore } from '../version/profile.ts';

/** The list of API versions that clients read before they choose one. */
export const serviceVersions = (namespace: string, profile: Profile): HttpResponse => {
  const newest = profile.versions[namespace];
  if (newest === undefined) return httpResponse(404, 'Not Found', { 'content-type': 'text/plain' });
  const prior = versionsBefore(newest).map((name) => `   <version>${publishedName(name)}</version>\n`);
  return httpResponse(
    200,
    `<?xml version="1.0" encoding="UTF-8"?>
<namespaces version="1.0">
 <namespace>
  <name>${namespace}</name>
  <version>${publishedName(newest)}</version>
  <priorVersions>
${prior.join('')}  </priorVersions>
 </namespace>
</namespaces>
`,
    { 'content-type': 'text/xml' },
  );
};
