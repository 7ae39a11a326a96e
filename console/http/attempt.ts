import { html, type Html, type Part } from '../html/html.ts';
import { failureNote } from '../html/parts.ts';
import { Refusal } from './gateway-calls.ts';
import type { Next, Page, Visit } from './visit.ts';

type Explanation = {
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  readonly reason?: string;
  readonly message?: string;
};

/** What the API says about a refusal: its code, its reason, and what it concerns. */
export function explained({ code, details }: Pick<Refusal, 'code' | 'details'>): Html {
  const { errors = [], reason, message } = details as Explanation;
  return html`<bdi class="id">${code} ${reason}</bdi>
    ${errors.map((error) => html`<br /><bdi>${error.field} ${error.message}</bdi>`)}
    ${message !== undefined && html`<br /><bdi>${message}</bdi>`}`;
}

/** A page, with a notice of what the form before has done or why it did nothing. */
export type ShowPage = (visit: Visit, notice?: Part) => Promise<Page>;
export type Act = (visit: Visit) => Promise<Page | Next>;

/** What a form does. If the API refuses it, its page is shown again and says why. */
export const attempt =
  (act: Act, show: ShowPage): Act =>
  async (visit) => {
    try {
      return await act(visit);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status } = error;
      if (status !== 400 && status !== 409 && status !== 422) throw error;
      const reason = html`${visit.texts.failures[status]} ${explained(error)}`;
      return { ...(await show(visit, failureNote(reason))), status };
    }
  };
