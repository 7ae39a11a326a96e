import type { ErrorCode } from '../../domain/errors.ts';
import { apiError } from '../http/api-error.ts';
import { isUuid } from './fields.ts';

/** The id of a path in lower case. Throws the resource's 404 when it is no uuid. */
export function pathId(raw: string, notFound: ErrorCode): string {
  if (!isUuid(raw)) throw apiError(notFound);
  return raw.toLowerCase();
}
