import type { NoteSubject } from '../../domain/accounts/notes.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf, type RowOf } from '../core/columns.ts';
import { countOf, valueOf } from '../core/rows.ts';
import { readNewest } from '../lists/id-page.ts';
import { equalTo, type Page, type PageRequest } from '../lists/page.ts';

export type NotedSubject = { readonly subjectType: NoteSubject; readonly subjectId: string };

const noteTypes = {
  id: 'uuid',
  subjectType: 'text',
  subjectId: 'uuid',
  createdAt: 'timestamptz',
  text: 'text',
} as const;
type NoteRow = RowOf<typeof noteTypes, { readonly subjectType: NoteSubject }>;
export const noteColumns = columnsOf<NoteRow>('notes', noteTypes);

/** A note; `operatorId` is the name that its author logs in with. */
export type Note = NoteRow & { readonly operatorId: string };

const tables: Readonly<Record<NoteSubject, string>> = {
  offer: 'offers',
  return: 'return_requests',
  vendor: 'vendors',
};

/**
 * The number of notes on a subject; null if there is no such subject. The subject stays and gets no
 * other note until the transaction ends.
 */
export async function countNotesLocked(
  sql: Queryable,
  { subjectType, subjectId }: NotedSubject,
): Promise<number | null> {
  const locked = await sql`
    select id from ${sql(tables[subjectType])} where id = ${subjectId} for no key update`;
  if (locked.length === 0) return null;
  return countOf(sql, sql`notes where subject_id = ${subjectId}`);
}

/** Stores a note, and returns when. */
export const insertNote = (
  sql: Queryable,
  note: NotedSubject & Pick<Note, 'id' | 'operatorId' | 'text'>,
): Promise<Date> => valueOf(sql`insert into notes ${sql(note)} returning created_at`);

/** The notes on a subject, the newest first. */
export const listNotes = (
  sql: Queryable,
  { subjectType, subjectId }: NotedSubject,
  request: PageRequest,
): Promise<Page<Note>> =>
  readNewest<Note>(sql, request, noteColumns, (parts) => ({
    conditions: equalTo(parts, { subject_id: subjectId, subject_type: subjectType }),
    more: parts`,
      (select operator_id from operators where id = notes.operator_id) as operator_id`,
  }));
