import type { ErrorCode, Failure } from '../../domain/errors.ts';

/** The specification gives these empty details (part 5, rule 4). */
const withoutHelp = new Set<ErrorCode>([
  'UNAUTHORIZED_INVALID_CREDENTIALS',
  'UNAUTHORIZED_VENDOR_INACTIVE',
]);

/**
 * The body of every error response: its details end with a link to the code's entry of the guide.
 * `baseUrl` is the gateway's own; empty when it is unknown.
 */
export const errorBody = ({ code, details }: Failure, baseUrl: string) => ({
  state: code,
  payload: null,
  details: withoutHelp.has(code)
    ? details
    : { ...details, help: `${baseUrl}/docs/errors#${code.toLowerCase()}` },
});
