import { UnknownKeyError } from '../security/sealer.ts';
import { isClean, type CheckResult } from './examine.ts';

/** The words for the result of a check: a line, and one or two for each finding that it lists. */
export function reportOf(
  result: CheckResult,
  linkOf: (workflowId: string) => string,
): readonly string[] {
  const { id, title, checked, found, repaired, isRepairable, findings, isComplete, error } = result;
  if (isClean(result)) return [`✓ ${title} (${checked} checked)`];
  const lines = findings.flatMap(({ subjectType, subjectId, text, workflowId }) => [
    `    ${subjectType} ${subjectId} ${text}`,
    ...(workflowId === null ? [] : [`      ${linkOf(workflowId)}`]),
  ]);
  return [
    `✗ ${title}: ${found} wrong, ${checked} checked  [${id}]`,
    ...lines,
    ...(found > findings.length ? [`    and ${found - findings.length} more`] : []),
    ...(repaired > 0 ? [`    repaired: ${repaired}`] : []),
    ...(found > 0 && !isRepairable ? ['    An operator has to decide what to do.'] : []),
    ...(error === null ? [] : [`    The check failed: ${kindOf(error)}`]),
    ...(isComplete || error !== null ? [] : ['    The check did not look at everything.']),
  ];
}

/** The kind of an error: messages of Postgres can quote stored data. */
const kindOf = (error: unknown): string =>
  error instanceof UnknownKeyError
    ? error.message
    : error instanceof Error
      ? `${error.name}${'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''}`
      : 'unknown';
