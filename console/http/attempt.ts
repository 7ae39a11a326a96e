import { html, type Html } from '../html/html.ts';
import { failureNote } from '../html/parts.ts';
import { Refusal } from './gateway-calls.ts';
import type { Next, Page, Visit } from './visit.ts';

/** What the API says about a refusal: its code, its reason, and what it concerns. */
export function explained({ code, details }: Pick<Refusal, 'code' | 'details'>): Html {
  const {
    errors = [],
    reason,
    message,
  } = details as {
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
    readonly reason?: string;
    readonly message?: string;
  };
  return html`<bdi class="id">${code} ${reason}</bdi>
    ${errors.map((error) => html`<br /><bdi>${error.field} ${error.message}</bdi>`)}
    ${message !== undefined && html`<br /><bdi>${message}</bdi>`}`;
}

/** Does what a form asks for. If the API refuses it, shows the form's page again and says why. */
export async function attempt(
  { texts: { failures } }: Visit,
  act: () => Promise<Page | Next>,
  show: (notice: Html) => Promise<Page>,
): Promise<Page | Next> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status } = error;
    if (status !== 400 && status !== 409 && status !== 422) throw error;
    const notice = failureNote(html`${failures[status]} ${explained(error)}`);
    return { ...(await show(notice)), status };
  }
}

/** What {@link attempt} makes of a form of a page. */
export const formOf =
  (
    page: (visit: Visit, notice: Html) => Promise<Page>,
    act: (visit: Visit) => Promise<Page | Next>,
  ) =>
  (visit: Visit): Promise<Page | Next> =>
    attempt(
      visit,
      () => act(visit),
      (notice) => page(visit, notice),
    );
