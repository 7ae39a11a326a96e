/** What the file of a page imports. */
export { html, type Html, type Part } from './html/html.ts';
export * as ui from './html/ui.ts';
export type * as api from './http/api-types.ts';
export { apiPath, isId, type ApiPath } from './http/api-path.ts';
export { orNull, Refusal } from './http/refusal.ts';
export { change, switchActive } from './http/visit.ts';
export type { Act, AddPages, Next, Page, Pages, ShowPage, Visit } from './http/visit.ts';
export type { Texts } from './texts/texts.ts';
