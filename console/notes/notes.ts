import { noteLengthMax, type NoteSubject } from '../../domain/accounts/notes.ts';
import { apiPath, html, ui } from '../page.ts';
import type { api, Html, Pages, ShowPage, Visit } from '../page.ts';

/** The most of the latest notes that are shown at once; the others are folded. */
const openMax = 3;

const route = apiPath`/operator/v1/notes`;

async function noteList(visit: Visit, subjectType: NoteSubject, subjectId: string) {
  const { texts, instant } = visit;
  const { items } = await ui.readWhole<api.Note>(visit, route, { subjectType, subjectId });
  const notes = items.map(
    ({ text, operatorId, at }) =>
      html`<p class="note"><bdi>${text}</bdi></p>
        ${ui.muted(html`${ui.own(operatorId)} · ${instant(at)}`)}`,
  );
  const earlier = notes.slice(openMax);
  return html`${notes.length === 0 ? ui.hint(texts.notes.none) : ui.list(notes.slice(0, openMax))}
  ${
    earlier.length > 0 &&
    html`<details>
      <summary>${texts.notes.earlier(earlier.length)}</summary>
      ${ui.list(earlier)}
    </details>`
  }`;
}

/** The notes of staff on the subject of a page, with a form, and those on its vendor, if given. */
export async function notesCard(
  visit: Visit,
  subjectType: NoteSubject,
  shown: { readonly vendorId?: string | null; readonly context?: ui.Query } = {},
): Promise<Html> {
  const { texts, id } = visit;
  const { vendorId = null, context = {} } = shown;
  const form = ui.inForm(visit, `${pageOf[subjectType]}/${id}/note`);
  const text = ui.longField(form, texts.notes.text, 'note', true, noteLengthMax);
  const addForm = ui.openedForm(form, {
    button: texts.notes.add,
    content: html`${ui.hiddenFields({ ...context, key: ui.formKey(form) })} ${text}`,
  });
  const ofVendor = vendorId !== null && (await noteList(visit, 'vendor', vendorId));
  return ui.card(
    texts.notes.title,
    html`${await noteList(visit, subjectType, id)} ${addForm}
    ${ofVendor && html`<h3>${ui.link(`/console/vendors/${vendorId}`, texts.notes.ofVendor)}</h3>`}
    ${ofVendor}`,
  );
}

const pageOf: Readonly<Record<NoteSubject, string>> = {
  offer: '/console/offers',
  return: '/console/returns',
  vendor: '/console/vendors',
};

/** Adds the form for notes to the page of a subject, which keeps a query. */
export const noteForm = (
  { submit }: Pages,
  subjectType: NoteSubject,
  page: ShowPage,
  queryOf: (visit: Visit) => ui.Query = () => ({}),
): void =>
  submit(
    `${pageOf[subjectType]}/:id/note`,
    async (visit) => {
      const text = visit.value('note');
      await visit.send(route, { subjectType, subjectId: visit.id, text });
      return { next: ui.withQuery(visit.url, queryOf(visit)) };
    },
    page,
  );
