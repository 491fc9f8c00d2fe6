import type { HttpRequest, HttpTransport } from '@vdo/base/http';

/** The passwords with which somebody has logged in: seen at vCenter's door, whatever the operator believes. */
export interface Proofs {
  readonly before: (transport: HttpTransport) => HttpTransport;
  isProven(password: string): boolean;
}

const passwordOf = ({ body, headers = {} }: HttpRequest): string | undefined => {
  const soap = /<(?:\w+:)?password[^>]*>([^<]*)</.exec(String(body ?? ''))?.[1];
  const basic = /^Basic (.+)$/i.exec(
    String((headers as Readonly<Record<string, unknown>>)['authorization'] ?? ''),
  )?.[1];
  return soap ?? (basic && Buffer.from(basic, 'base64').toString().split(':').slice(1).join(':'));
};

export const createProofs = (): Proofs => {
  const proven = new Set<string>();
  return {
    before: (transport) => async (request) => {
      const password = passwordOf(request);
      const reply = await transport(request);
      if (password !== undefined && reply.status < 300) proven.add(password);
      return reply;
    },
    isProven: (password) => proven.has(password),
  };
};
