import { type HttpResponse, httpResponse } from '@vdo/base/http';

/** The list of API versions that clients read before they choose one. */
export const serviceVersions = (namespace: string, version: string): HttpResponse =>
  httpResponse(
    200,
    `<?xml version="1.0" encoding="UTF-8"?>
<namespaces version="1.0">
 <namespace>
  <name>${namespace}</name>
  <version>${version}</version>
 </namespace>
</namespaces>
`,
    { 'content-type': 'text/xml' },
  );
