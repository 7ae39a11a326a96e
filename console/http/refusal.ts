/** An error response of the API, which ends a page unless the page expects it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;
  readonly details: object;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, code: string, details: object = {}, retryAfter?: string) {
    super(code);
    this.status = status;
    this.code = code;
    this.details = details;
    this.headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  }
}

/** Null for an expected refusal, by default: of what the API has not or cannot be asked for. */
export async function orNull<T>(
  response: Promise<T>,
  isExpected = ({ status }: Refusal): boolean => status === 404 || status === 400,
): Promise<T | null> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof Refusal && isExpected(error)) return null;
    throw error;
  }
}
