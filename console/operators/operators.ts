import { operatorAuditLink } from '../audit/audit.ts';
import { apiPath, html, switchActive, ui } from '../page.ts';
import type { Act, AddPages, api, Html, Page, ShowPage, Visit } from '../page.ts';

const path = '/console/operators';

const contentOf = (effect: string, fields: Readonly<Record<string, string>>): Html =>
  html`${ui.hiddenFields(fields)}<span class="muted">${effect}</span>`;

/** Every operator, with what an Admin may do, and a form for a new one. */
const showOperators: ShowPage = async (visit, notice) => {
  const { texts, instant, typed } = visit;
  const { operators, audit, roles } = texts;
  const sentAct = typed('act');
  // A refused form shows its own page of the list again.
  const page = visit.value('page');
  const form = ui.inForm(visit, path, sentAct === 'create');
  const creation = { act: 'create', page, key: ui.formKey(form) };
  return ui.listPage(
    visit,
    await ui.readFiltered<api.Operator>(visit, apiPath`/operator/v1/operators`, {}),
    {
      title: operators.title,
      notice,
      columns: [texts.name, operators.role, texts.status, texts.created, '', ''],
      row: (operator) => {
        const { id, operatorId, isActive, createdAt } = operator;
        const isSelf = operatorId === visit.operator.operatorId;
        const deactivate = operators.effects[isSelf ? 'deactivateSelf' : 'deactivate'];
        const effect = isActive ? deactivate : operators.effects.activate;
        const toggle = contentOf(effect, { act: 'active', id, page });
        const rotated = ui.inForm(visit, path, sentAct === 'rotate-secret' && typed('id') === id);
        const rotation = { act: 'rotate-secret', id, page, key: ui.formKey(rotated) };
        const rotate = contentOf(operators.effects.rotate, rotation);
        return [
          ui.own(operatorId),
          ui.listOf(
            operator.roles.map((role) => roles[role]),
            visit.language,
          ),
          ui.activeChip(visit, operator),
          instant(createdAt),
          operatorAuditLink(operatorId, audit.title),
          html`${ui.switchForm(visit, path, operator, toggle)}
          ${ui.openedForm({ action: path }, { button: operators.rotate, content: rotate })}`,
        ];
      },
      after: ui.openedForm(form, {
        button: operators.add,
        content: html`${ui.hiddenFields(creation)}
        ${ui.textField(form, texts.name, 'operatorId', typed('operatorId'), nameForm)}
        ${ui.requiredChoice(form, operators.role, 'role', Object.entries(roles), typed('role'))}`,
      }),
    },
  );
};

const nameForm = html`dir="ltr" maxlength="255" autocomplete="off" required`;

/**
 * The only page with the secret: the response to the form itself, which has no address of its own.
 * A browser that loads it again sends the same key, and gets the same secret.
 */
const secretPage = ({ texts }: Visit, operator: api.OperatorWithSecret): Page => ({
  title: texts.secret,
  heading: ui.own(operator.operatorId),
  notice: ui.note(texts.secretOnce, 'warn'),
  content: html`<bdi class="barcode" dir="ltr">${operator.operatorSecret}</bdi>
    ${ui.link(path, texts.operators.kept)}`,
});

/** Adds an operator, rotates a secret, or switches an operator on or off. */
const change: Act = async (visit) => {
  const { value, send } = visit;
  if (value('act') === 'create') {
    const body = { operatorId: value('operatorId'), role: value('role') };
    return secretPage(visit, await send(apiPath`/operator/v1/operators`, body));
  }
  const operator = apiPath`/operator/v1/operators/${value('id')}`;
  if (value('act') === 'rotate-secret')
    return secretPage(visit, await send(operator.below('rotate-secret')));
  await switchActive(visit, operator);
  return { next: ui.withQuery(path, { page: value('page') }) };
};

export const operatorsPage: AddPages = ({ show, submit }) => {
  show(path, showOperators);
  submit(path, change, showOperators);
};
