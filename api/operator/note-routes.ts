import * as v from 'valibot';
import { v7 as uuidv7 } from 'uuid';
import { countNotesLocked, insertNote, listNotes, type Note } from '../../db/accounts/notes.ts';
import {
  noteLengthMax,
  noteRoles,
  notesMax,
  noteSubjects,
  type NoteSubject,
} from '../../domain/accounts/notes.ts';
import { staffRoles, type OperatorRole } from '../../domain/accounts/operator-roles.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { requireRole } from '../auth/authenticate.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { apiError, orNotFound } from '../http/api-error.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { filledText, uuid } from '../validation/fields.ts';
import { pageParameters, query } from '../validation/query.ts';
import { field, titled } from '../validation/response-parts.ts';
import { sample } from '../validation/sample.ts';
import { audit } from './audit.ts';

const example = 'The vendor sends the invoice by Thursday.';
const texts = {
  subjectType: 'What the note is on.',
  subjectId: 'The id of the offer, the return or the vendor.',
  text: 'The note, which only staff read.',
};

export const noteResponse = titled('Note', {
  id: field.id('The id of the note.', sample.noteId),
  subjectType: described(v.picklist(noteSubjects), texts.subjectType, 'offer'),
  subjectId: field.id(texts.subjectId, sample.offerId),
  operatorId: field.text('The login name of its author.', sample.operatorId),
  at: field.instant('When it was written, in UTC.', sample.approvedAt),
  text: field.text(texts.text, example),
});

const toNoteResponse = ({ createdAt: at, ...note }: Note): v.InferInput<typeof noteResponse> => ({
  ...note,
  at,
});

const subject = {
  subjectType: described(v.picklist(noteSubjects), texts.subjectType, 'offer'),
  subjectId: described(uuid, texts.subjectId, sample.offerId),
};

const notFound = {
  offer: 'NOT_FOUND_VENDOR_OFFER',
  return: 'NOT_FOUND_RETURN_REQUEST',
  vendor: 'NOT_FOUND_VENDOR',
} as const satisfies Readonly<Record<NoteSubject, ErrorCode>>;

function requireRoleFor(roles: readonly OperatorRole[], subjectType: NoteSubject): void {
  const role = noteRoles[subjectType];
  if (role !== null) requireRole(roles, role);
}

/** Notes of staff on an offer, a return or a vendor, which vendors never see. */
export const operatorNoteRoutes: AddRoutes = (app, { lists }) => {
  const route = operatorRoutes(app, { role: staffRoles, tag: 'Operator: notes' });
  const whoMay =
    'On an offer they need the role `Reviewer`, on a return `Operations`, and on a vendor either.';
  route({
    at: 'GET /operator/v1/notes',
    operationId: 'listNotes',
    summary: 'List the notes on an offer, a return or a vendor',
    description: `Lists notes of staff, newest first. Vendors never see them. ${whoMay}`,
    query: query({ ...subject, ...pageParameters }),
    payload: pageOf(noteResponse),
    handler: async ({ caller, query: on, page }) => {
      requireRoleFor(caller.roles, on.subjectType);
      return mapItems(await listNotes(lists, on, page), toNoteResponse);
    },
  });
  route({
    at: 'POST /operator/v1/notes',
    operationId: 'createNote',
    summary: 'Write a note on an offer, a return or a vendor',
    description:
      `Stores a note for staff. Vendors never see it, and it cannot be changed. ${whoMay} A ` +
      `subject has at most ${notesMax} notes.`,
    body: v.strictObject({
      ...subject,
      text: described(filledText(noteLengthMax), texts.text, example),
    }),
    payload: noteResponse,
    statuses: [201],
    refusals: [...Object.values(notFound), 'BUSINESS_NOTE_LIMIT'],
    handler: async ({ caller, body, request, sql }) => {
      requireRoleFor(caller.roles, body.subjectType);
      return sql.begin(async (transaction) => {
        const count = orNotFound(
          await countNotesLocked(transaction, body),
          notFound[body.subjectType],
        );
        if (count >= notesMax) throw apiError('BUSINESS_NOTE_LIMIT', { maximum: notesMax });
        const noteId = uuidv7();
        const note = { id: noteId, operatorId: caller.id, ...body };
        const createdAt = await insertNote(transaction, note);
        const { subjectType, subjectId } = body;
        // The text is in the note only; the log of the subject has its decisions only.
        const after = { subjectType, subjectId };
        await audit(transaction, request, 'note.create', noteId, { before: null, after });
        return toNoteResponse({ ...note, createdAt, operatorId: caller.operatorId });
      });
    },
  });
};
