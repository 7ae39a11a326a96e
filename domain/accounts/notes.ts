import type { OperatorRole } from './operator-roles.ts';

/** What staff write notes on, and who may: null is staff of every role. */
export const noteRoles = {
  offer: 'Reviewer',
  return: 'Operations',
  vendor: null,
} as const satisfies Readonly<Record<string, OperatorRole | null>>;
export type NoteSubject = keyof typeof noteRoles;
export const noteSubjects = ['offer', 'return', 'vendor'] as const satisfies readonly NoteSubject[];

/** The most characters of a note, and the most notes on one subject. */
export const noteLengthMax = 2000;
export const notesMax = 200;
