/** Bodies that can be pasted, by `METHOD /path`; the first is the one that tools show. */
export const requestExamples: Readonly<
  Record<string, Readonly<Record<string, { readonly summary: string; readonly value: object }>>>
> = {
  'POST /api/v1/auth/token': {
    token: { summary: 'A credential for a token', value: { clientId: 'vc_…', clientSecret: 'vs_…' } },
  },
};
