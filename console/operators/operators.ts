import { operatorRoles } from '../../domain/accounts/operator-roles.ts';
import type { Operator, OperatorWithSecret } from '../http/api-types.ts';
import { formOf } from '../http/attempt.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import type { Page, Visit } from '../http/visit.ts';
import { instant } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { listPage, readList } from '../html/list.ts';
import { hiddenFields, options } from '../html/parts.ts';

const path = '/console/operators';

/** Every operator, with what an Admin may do, and a form for a new one. */
async function showOperators(visit: Visit, notice: Html | null = null): Promise<Page> {
  const { texts, language } = visit;
  const { operators, audit } = texts;
  const list = await readList<Operator>(visit, '/operator/v1/operators', {});
  return listPage(visit, list, {
    title: operators.title,
    path,
    filter: {},
    columns: [operators.name, operators.role, texts.status, operators.created, ''],
    row: ({ id, operatorId, roles, isActive, createdAt }) => [
      html`<bdi>${operatorId}</bdi>`,
      roles.map((role) => texts.roles[role]).join(', '),
      html`<span class="chip ${isActive ? 'good' : ''}">
        ${isActive ? operators.active : operators.inactive}
      </span>`,
      instant(createdAt, language),
      html`<a href="${withQuery('/console/audit', { operatorId })}">${audit.title}</a> ${confirmed(
          isActive ? operators.deactivate : operators.activate,
          hiddenFields({ act: 'active', id, isActive: String(!isActive) }),
        )}
        ${confirmed(operators.rotate, hiddenFields({ act: 'rotate-secret', id }))}`,
    ],
    empty: texts.none,
    before: notice,
    after: newOperatorForm(visit),
  });
}

/** A button that opens the form, with its effect in words. */
const confirmed = (
  { label, effect, button }: Readonly<Record<'label' | 'effect' | 'button', string>>,
  fields: Html,
): Html =>
  html`<details>
    <summary>${label}</summary>
    <form method="post" action="${path}">
      ${fields}
      <p class="muted">${effect}</p>
      <button>${button}</button>
    </form>
  </details>`;

const newOperatorForm = ({ texts, value }: Visit): Html =>
  html`<section class="card">
    <h2>${texts.operators.add}</h2>
    <form method="post" action="${path}" class="fields">
      ${hiddenFields({ act: 'create' })}
      <label>
        ${texts.operators.name}
        <input
          name="operatorId"
          value="${value('operatorId')}"
          dir="ltr"
          maxlength="255"
          autocomplete="off"
          required
        />
      </label>
      <label>
        ${texts.operators.role}
        <select name="role" required>
          ${options(
            operatorRoles.map((role) => [role, texts.roles[role]] as const),
            value('role'),
            texts.none,
          )}
        </select>
      </label>
      <button>${texts.operators.addNow}</button>
    </form>
  </section>`;

/** The only page with the secret: the answer to the form itself, which has no address of its own. */
const secretPage = (
  { texts: { operators } }: Visit,
  { operatorId, operatorSecret }: OperatorWithSecret,
): Page => ({
  title: operators.secret,
  body: html`<section class="card stack">
    <h1><bdi>${operatorId}</bdi></h1>
    <p>${operators.shownOnce}</p>
    <p><bdi class="barcode" dir="ltr">${operatorSecret}</bdi></p>
    <a href="${path}">${operators.kept}</a>
  </section>`,
});

/** Adds an operator, rotates a secret, or switches an operator on or off. */
const change = formOf(showOperators, async (visit) => {
  const { value, send } = visit;
  const operator = `/operator/v1/operators/${encodeURIComponent(value('id'))}`;
  if (value('act') === 'create') {
    const body = { operatorId: value('operatorId'), role: value('role') };
    return secretPage(visit, await send('/operator/v1/operators', body));
  }
  if (value('act') === 'rotate-secret')
    return secretPage(visit, await send(`${operator}/rotate-secret`));
  const isActive = value('isActive') === 'true';
  await send(`${operator}/active`, { isActive }, { method: 'PATCH' });
  return { next: path };
});

export const operatorsPage: AddPages = ({ show, submit }) => {
  show(path, showOperators);
  submit(path, change);
};
