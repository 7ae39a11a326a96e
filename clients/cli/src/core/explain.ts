import { describeDetails, EventsExpiredError, VendorGatewayError } from 'vendor-gateway-client';
import { CliError, exitCodes, type ExitCode } from './exit.ts';
import { inLine } from './output.ts';

/** One reason of a failure, as the tables and the lines of JSON have it. */
export type Reason = {
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
};
export type Explanation = {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly reasons: readonly Reason[];
  readonly hint: string | null;
  readonly requestId: string | null;
};

const hints: Readonly<Record<string, string>> = {
  UNAUTHORIZED_INVALID_CREDENTIALS: 'Check the client id and the secret, then log in again.',
  UNAUTHORIZED_VENDOR_INACTIVE: 'Ask the operator of the gateway to activate your account.',
  FORBIDDEN_CAPABILITY_NOT_GRANTED: 'Use a credential that has this capability.',
  CONNECTION_FAILED: 'Check the address and that the gateway runs, then repeat the command.',
  REDIRECTED: 'Set VENDOR_GATEWAY_URL to the new address, or log in again with it.',
  INVALID_RESPONSE: 'Check that the address leads to the gateway.',
  TOO_MANY_REQUESTS: 'Wait a minute, then repeat the command.',
  INTERNAL_ERROR: 'Repeat the command; quote the request id if the error stays.',
};

const isFieldErrors = (value: unknown): value is readonly Reason[] => Array.isArray(value);

/** The reasons of an error code with its details, of a call or of one item. */
export function reasonsOf(
  code: string,
  details: Readonly<Record<string, unknown>>,
): readonly Reason[] {
  const { errors, field, parameter } = details;
  if (code === 'VALIDATION_ERRORS' && isFieldErrors(errors) && errors.length > 0)
    return errors.map(({ field, code, message }) => {
      return { field, code, message };
    });
  const named = typeof field === 'string' ? field : parameter;
  const message = describeDetails(code, details) || code.toLowerCase().replaceAll('_', ' ');
  return [{ field: typeof named === 'string' ? named : null, code, message }];
}

function exitCodeOf({ state, status }: VendorGatewayError): ExitCode {
  if (status === 0 || status === 429 || status >= 500) return exitCodes.unavailable;
  if (state === 'INVALID_RESPONSE' || state === 'REDIRECTED') return exitCodes.unavailable;
  if (status === 401 || status === 403) return exitCodes.refused;
  // A query comes from options of the command line.
  return state.startsWith('VALIDATION_') && state !== 'VALIDATION_ERRORS'
    ? exitCodes.usage
    : exitCodes.failed;
}

/** Where the gateway says what to do, for a code whose details say nothing. */
const helpOf = (code: string, { help, ...details }: Readonly<Record<string, unknown>>) =>
  typeof help === 'string' && describeDetails(code, details) === ''
    ? `The gateway says what to do at ${help}.`
    : null;

function explainCall(error: VendorGatewayError): Explanation {
  const isUnknown = error.state === 'UNKNOWN';
  const code = isUnknown ? error.details.code : error.state;
  const details = { ...(isUnknown ? error.details.details : error.details) };
  return {
    exitCode: exitCodeOf(error),
    code,
    reasons: reasonsOf(code, details),
    hint: hints[code] ?? helpOf(code, details),
    requestId: error.requestId,
  };
}

const ownExplanation = (
  exitCode: ExitCode,
  code: string,
  message: string,
  hint: string | null,
): Explanation => ({
  exitCode,
  code,
  reasons: [{ field: null, code, message }],
  hint,
  requestId: null,
});

/** An error of the file system, which names its file. */
const isFileError = (error: unknown): error is NodeJS.ErrnoException & { readonly path: string } =>
  error instanceof Error && 'syscall' in error && 'path' in error;

/** What an error means for the user. Null for a bug of this program. */
export function explain(error: unknown): Explanation | null {
  if (error instanceof VendorGatewayError) return explainCall(error);
  if (error instanceof CliError)
    return ownExplanation(error.exitCode, error.code, error.message, error.hint);
  if (isFileError(error))
    return ownExplanation(
      exitCodes.failed,
      'FILE_UNAVAILABLE',
      `The file ${error.path} cannot be used: ${error.code ?? 'unknown reason'}`,
      'Check that you may read and write it, and that the disk has space.',
    );
  if (error instanceof EventsExpiredError)
    return ownExplanation(
      exitCodes.failed,
      'EVENTS_EXPIRED',
      error.message,
      `Read the lists, then continue with --after ${error.resumeAfter}.`,
    );
  return null;
}

/** One line: code, fields with messages, what to do, and what to quote. */
export function lineOf({ code, reasons, hint, requestId }: Explanation): string {
  const texts = reasons.map(({ field, message }) =>
    inLine(field === null ? message : `${field}: ${message}`),
  );
  const quote = requestId === null ? '' : ` (request ${requestId})`;
  // A message of the gateway may be a sentence.
  const text = texts.join('; ').replace(/\.$/, '');
  return `${code}: ${text}.${hint === null ? '' : ` ${hint}`}${quote}`;
}
