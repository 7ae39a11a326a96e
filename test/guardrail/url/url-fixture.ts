import { checkUrl, type UrlPolicy } from '../../../guardrail/url.ts';

export const policy: UrlPolicy = { allowedPorts: [443, 8443], allowedOrigins: [] };

export const kindOf = (raw: string, given = policy) => checkUrl(raw, given).kind;

export const reasonOf = (raw: string, given = policy) => {
  const verdict = checkUrl(raw, given);
  return verdict.kind === 'refused' ? verdict.reason : verdict.kind;
};

export const base = 'https://vendor.example.org/';
