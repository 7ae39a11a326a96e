import type { Glossary } from './entry.ts';
import { story } from './story.ts';

/** The envelope, pages, and the parameters of many lists. */
export const commonGlossary: Glossary = {
  state: { description: '`SUCCESS`, or the code of an error.' },
  payload: { description: 'What was asked for; null on every error.' },
  details: { description: 'What there is to say besides; `{}` when there is nothing.' },
  nextChangedSince: {
    description:
      'Where to go on: send it as `changedSince` next time. The latest change time on the page; on an empty page the instant that was asked with. Only there when `changedSince` was sent.',
    example: '2026-11-24T11:00:00.000312Z',
  },
  items: { description: 'The items of this page.' },
  pagination: { description: 'Where the page stands in the list.' },
  'pagination.page': { description: 'The page, counted from 1.', example: 1 },
  'pagination.pageSize': { description: 'The most items a page has.', example: 20 },
  totalCount: { description: 'Items on all pages together.', example: 1 },
  totalPages: { description: 'Pages there are; 0 for an empty list.', example: 1 },
  errors: { description: 'One entry for each failing field, up to a hundred.' },
  allowedValues: { description: 'What a header may say, where one is at fault.' },
  'query.page': {
    description: 'Which page, counted from 1. Beyond the last one the list is empty.',
    example: 1,
  },
  'query.pageSize': {
    description: 'Items a page, 1 to 100. Never clamped: another number is refused.',
    example: 20,
  },
  changedSince: {
    description:
      'Only what changed strictly after this instant, in order of change. RFC 3339 with a time and an offset or `Z`, up to microseconds; the `+` of an offset is written `%2B`. Begin with an old instant, and go on with `details.nextChangedSince` where the list answers it.',
    example: story.offered,
  },
  include: {
    description: 'A comma list of what to add. `history`: the status changes, the oldest first.',
    example: 'history',
  },
  history: {
    description:
      'Status changes, the oldest first; only there when it was asked for with `include=history`.',
  },
  'history.at': { description: 'When the status changed, in UTC.' },
  'history.from': { description: 'The status before; null for the first one.', example: null },
  'history.to': { description: 'The status after.' },
};
