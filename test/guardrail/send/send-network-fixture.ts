import type { Resolve } from '../../../guardrail/resolve.ts';

export const failure = (errorSummary: unknown) => ({
  succeeded: false,
  httpStatus: null,
  errorSummary,
  retryAfter: null,
});

export const answering =
  (...addresses: readonly string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address }));

export const urlOf = (port: number) => `https://vendor.example.org:${port}/`;

export const policyFor = (port: number) => ({
  policy: { allowedPorts: [port], allowedOrigins: [] },
});
