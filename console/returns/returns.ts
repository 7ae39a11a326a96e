import {
  findReturnTransition,
  inspectionOutcomes,
  returnStatuses,
  returnTransitions,
  type StaffReturnAction,
} from '../../domain/returns/return-status.ts';
import { auditLink } from '../audit/audit.ts';
import { productOf, readVariants } from '../catalogue/catalogue.ts';
import { noteForm, notesCard } from '../notes/notes.ts';
import { apiPath, html, isId, orNull, Refusal, ui } from '../page.ts';
import type { ApiPath, Act, AddPages, api, Html, Page, ShowPage, Texts, Visit } from '../page.ts';
import { readVendors, vendorLink } from '../vendors/vendor-names.ts';

const urgentMs = 6 * 3_600_000;

/** The status of a return; under inspection with a mark if staff must decide. */
function statusOf({ texts }: Visit, { status, inspection }: api.ListedReturn): Html {
  const isForStaff = status === 'UnderInspection' && inspection.requiresStaffReview;
  return html`${texts.statuses[status]} ${isForStaff && ui.chip(texts.returns.staff, 'warn')}`;
}

/** What silence decides at the deadline of an inspection. */
const silenceOf = ({ texts: { returns } }: Visit, { silenceOutcome }: api.ListedReturn) =>
  silenceOutcome && html`${returns.silence} <b>${returns.outcomeNames[silenceOutcome]}</b>`;

/** The time until the deadline of an inspection, with the mark of a late one. */
function leftOf(
  { texts: { returns }, language }: Visit,
  { inspection, now }: api.ListedReturn,
): readonly [string, 'bad' | 'warn' | false] {
  const leftMs = Date.parse(inspection.inspectionWindowDeadline ?? now) - Date.parse(now);
  return leftMs <= 0
    ? [returns.passed, 'bad']
    : [returns.left(ui.span(leftMs, language)), leftMs < urgentMs && 'warn'];
}

/** The time until the deadline of an inspection, and what silence decides then. */
function deadlineOf(visit: Visit, item: api.ListedReturn): Html {
  const { returns, none } = visit.texts;
  if (item.status !== 'UnderInspection') return html`${none}`;
  const silence = silenceOf(visit, item);
  return html`${item.inspection.inspectionWindowDeadline && ui.chip(...leftOf(visit, item))}
  ${ui.muted(silence ? html`${silence} · ${visit.instant(item.silenceAt)}` : returns.noSilence)}`;
}

/** The time until the deadline as the largest text of a page, and what silence decides then. */
function largeDeadline(visit: Visit, item: api.ReturnDetail): Html {
  const { inspectionWindowDeadline: deadline } = item.inspection;
  const [left, mark] = leftOf(visit, item);
  return html`${deadline && html`<div class="figure deadline ${mark}">${left}</div>`}
  ${deadline && html`${visit.instant(deadline)} ·`}
  ${silenceOf(visit, item) ?? visit.texts.returns.noSilence}`;
}

/** What an outcome means for who pays. */
const meaningOf = (
  { texts: { returns } }: Visit,
  outcome: Outcome,
  item: api.ReturnDetail,
): string => returns.means[outcome](returns.bearers[item.vendorId === null ? 'service' : 'vendor']);

/** Every return, the soonest deadline first. */
async function showReturns(visit: Visit): Promise<Page> {
  const { texts, instant } = visit;
  const { returns, status, vendor, reason } = texts;
  const { number, deadline, destination, proposal } = returns;
  const asked = visit.digits('number');
  const orderGlobalId = asked.replace(/^(?:ord_)?/i, 'ord_');
  const list = await ui.readFiltered<api.ListedReturn>(visit, apiPath`/operator/v1/returns`, {
    status: visit.choice('status', returnStatuses),
    requiresStaffReview: visit.choice('requiresStaffReview', ['true']),
    dueWithinHours: visit.choice('dueWithinHours', ['6']),
    vendorId: visit.value('vendorId'),
    ...(isId(asked) ? { orderGlobalId } : { returnRequestNumber: asked }),
  });
  const { nameOf, field } = await readVendors(visit, list.items);
  return ui.listPage(visit, list, {
    title: returns.title,
    notice: await overtakenNote(visit),
    fields: [
      ui.searchField(visit, returns.search, 'number'),
      field,
      ui.choiceField(visit, status, 'status', ui.named(returnStatuses, texts.statuses)),
      ui.checkField(visit, returns.forStaff, 'requiresStaffReview', 'true'),
      ui.checkField(visit, texts.home.due, 'dueWithinHours', '6'),
    ],
    columns: [number, status, vendor, deadline, destination, reason, proposal],
    row: (item) => {
      const { id, returnRequestNumber, requestedAt, lines } = item;
      const { supplierProposedOutcome: proposed } = item.inspection;
      const reasons = new Set(lines.map(({ reasonCode }) => returns.reasons[reasonCode]));
      return [
        html`${ui.link(`/console/returns/${id}`, ui.own(returnRequestNumber ?? id))}
        ${ui.muted(instant(requestedAt))}`,
        statusOf(visit, item),
        nameOf(item.vendorId),
        deadlineOf(visit, item),
        returns.destinations[item.destination],
        ui.listOf([...reasons], visit.language),
        proposed === null ? texts.none : returns.outcomeNames[proposed],
      ];
    },
  });
}

/** The returns, or the only one with the typed id, by which pages show one without a number. */
const findReturns: Act = async (visit) => {
  const id = visit.digits('number');
  const found = isId(id) ? await orNull(visit.read<api.ReturnDetail>(pathTo(id))) : null;
  return found === null ? showReturns(visit) : { next: `/console/returns/${found.id}` };
};

type Outcome = (typeof inspectionOutcomes)[number];
type Move = keyof Texts['returns']['moves'];

/**
 * The moves by staff in the order of their buttons: the path of the API and the action of each, which
 * takes a reason.
 */
const staffMoves: readonly (readonly [Move, StaffReturnAction])[] = [
  ['approve', 'approve'],
  ['reject', 'reject'],
  ['in-transit', 'inTransit'],
  ['received', 'receive'],
  ['start-inspection', 'startInspection'],
  ['refund-released', 'releaseRefund'],
  ['withdraw', 'withdraw'],
  ['close', 'close'],
];

const pathTo = (id: string): ApiPath => apiPath`/operator/v1/returns/${id}`;

/** One return: what came back, why, the evidence, the proposal, and what staff may do. */
const showReturn: ShowPage = async (visit, notice) => {
  const { texts, read } = visit;
  const { returns } = texts;
  const item = await read<api.ReturnDetail>(pathTo(visit.id));
  const { vendorId, orderGlobalId, lines, history } = item;
  const vendor =
    vendorId === null ? null : await read<api.Vendor>(apiPath`/operator/v1/vendors/${vendorId}`);
  const title = item.returnRequestNumber ?? item.id;
  const forms = formsOf(visit, item);
  const { quantity, reasons } = returns;
  const columns = ['SKU', [quantity], texts.reason] as const;
  const variants = await readVariants(
    visit,
    lines.map(({ variantId }) => variantId),
  );
  const rows = lines.map((line) => [
    productOf(visit, variants, line),
    line.quantity,
    reasons[line.reasonCode],
  ]);
  return {
    title,
    above: html`${statusOf(visit, item)}
    ${item.status === 'UnderInspection' && largeDeadline(visit, item)}`,
    beside: ui.muted(
      html`${texts.orders.order}
      ${ui.link(`/console/orders/${orderGlobalId}`, ui.code(orderGlobalId))} ·
      ${auditLink(visit, item.id)} · ${ui.outerLink(item.workflow.runsUrl, texts.decision.run)}`,
    ),
    notice: notice ?? doneNote(visit, item) ?? (await overtakenNote(visit)),
    content: html`${ui.section(returns.lines, ui.rowsTable(columns, rows))}
    ${evidenceCard(visit, item)} ${ui.card(returns.history, ui.statusTimeline(visit, history))}`,
    aside: html`${factsCard(visit, item)} ${await notesCard(visit, 'return', { vendorId })}
    ${vendor && earlierCard(visit, item, vendor)}`,
    actions: forms,
  };
};

/** Links that open apart; the page loads nothing of a vendor's. The API stores only https. */
function evidenceCard({ texts, instant }: Visit, { inspection }: api.ReturnDetail): Html {
  const { evidence, noEvidence, evidenceKinds } = texts.returns;
  const items = inspection.evidence.map(
    ({ url, kind, uploadedAt }) =>
      html`${evidenceKinds[kind]} ${ui.outerLink(url, ui.own(url))} ${ui.muted(instant(uploadedAt))}`,
  );
  return ui.card(evidence, items.length === 0 ? ui.hint(noEvidence) : ui.list(items));
}

function factsCard({ texts, instant }: Visit, item: api.ReturnDetail): Html {
  const { returns, none } = texts;
  const { inspection, decision } = item;
  const decidedBy = decision === 'Silence' ? returns.bySilence : item.decidedBy;
  const named = (outcome: typeof inspection.outcome) =>
    outcome === null ? none : returns.outcomeNames[outcome];
  return ui.factsCard(returns.facts, [
    [returns.destination, returns.destinations[item.destination]],
    [returns.requested, instant(item.requestedAt)],
    [returns.received, instant(item.receivedAt)],
    [returns.started, instant(item.inspectionStartedAt)],
    [returns.deadline, instant(inspection.inspectionWindowDeadline)],
    [returns.proposal, named(inspection.supplierProposedOutcome)],
    [returns.outcome, named(inspection.outcome)],
    [returns.decidedBy, ui.own(decidedBy ?? none)],
  ]);
}

/** The vendor, and what became of its earlier returns. */
function earlierCard({ texts }: Visit, item: api.ReturnDetail, vendor: api.Vendor): Html {
  const { earlierReturns: earlier } = item;
  const { bySilence, outcomeNames, earlier: label } = texts.returns;
  const counts =
    earlier &&
    ui.facts([
      [label, earlier.returns],
      [outcomeNames.AcceptedDefect, earlier.acceptedDefect],
      [outcomeNames.AcceptedSound, earlier.acceptedSound],
      [outcomeNames.Rejected, earlier.rejected],
      [bySilence, earlier.decidedBySilence],
    ]);
  return ui.card(texts.vendor, html`<b>${vendorLink(vendor.id, vendor.name)}</b> ${counts}`);
}

/** The outcomes under inspection, else the moves; only those that the status allows. */
function formsOf(visit: Visit, item: api.ReturnDetail): readonly Html[] {
  const { texts, value } = visit;
  const { returns } = texts;
  const { id, status, destination } = item;
  const reasonIn = (form: Visit): Html => ui.reasonField(form, returns.staffReason, false);
  const path = `/console/returns/${id}`;
  const following = ui.withQuery('/console/returns/next', { after: id });
  const next = html`<a class="button" data-key="n" href="${following}"
    >${texts.following} <kbd>n</kbd></a
  >`;
  if (status === 'UnderInspection')
    return [
      ...inspectionOutcomes.map((outcome, index) => {
        const form = ui.inForm(visit, `${path}/decide`, value('outcome') === outcome);
        const confirm = html`${returns.confirm} ${ui.faultOf(form, 'confirmed')}`;
        return ui.openedForm(form, {
          button: returns.outcomes[outcome],
          content: [
            ui.hiddenFields({ outcome, status, version: item.version }),
            html`<p>${meaningOf(visit, outcome, item)}</p>`,
            reasonIn(form),
            ui.box(confirm, 'confirmed', 'true', false, html`required`),
          ],
          key: String(index + 1),
          isDanger: outcome === 'Rejected',
        });
      }),
      next,
    ];
  // The vendor itself confirms the receipt of what goes to it.
  const shown = staffMoves.filter(
    ([move, action]) =>
      findReturnTransition(status, action) !== null &&
      (move !== 'received' || destination === 'SortingPoint'),
  );
  const moves = shown.map(([move]) => {
    const form = ui.inForm(visit, `${path}/${move}`);
    const content = [ui.hiddenFields({ status }), reasonIn(form)];
    const button = returns.moves[move];
    return ui.openedForm(form, { button, content, isDanger: move === 'reject' });
  });
  return [...moves, next];
}

/** The status of a return and what was decided, by whom and when. */
function stateOf({ texts, instant }: Visit, item: api.ReturnDetail): Html {
  const { returns, statuses } = texts;
  const { outcome } = item.inspection;
  const decided =
    outcome &&
    html`· ${returns.decidedBy} ${ui.own(item.decidedBy ?? returns.bySilence)}:
    ${returns.outcomeNames[outcome]} · ${instant(item.inspectionDecidedAt)}`;
  return html`<b>${statuses[item.status]}</b> ${decided}`;
}

/** What the form before has done, and what its outcome means. */
function doneNote(visit: Visit, item: api.ReturnDetail): Html | null {
  if (visit.claimed('done') !== item.status) return null;
  const { outcome } = item.inspection;
  const meaning = visit.claimed('decided') !== '' && outcome && meaningOf(visit, outcome, item);
  return ui.note(html`${visit.texts.returns.done} ${stateOf(visit, item)} ${meaning}`);
}

/** What was decided before this form was sent, by another operator or by this one. */
async function overtakenNote(visit: Visit): Promise<Html | null> {
  const { overtaken, alreadyDecided, open } = visit.texts.decision;
  const id = visit.claimed('overtaken');
  if (!isId(id)) return null;
  const item = await orNull(visit.read<api.ReturnDetail>(pathTo(id)));
  if (item === null) return null;
  const isOwn = item.decidedBy === visit.operator.operatorId;
  const text = isOwn ? alreadyDecided : overtaken;
  const link = ui.link(`/console/returns/${id}`, open);
  return ui.note(html`${text} ${stateOf(visit, item)} ${link}`, isOwn ? 'good' : 'warn');
}

/** Why a form did nothing, or whether it did, with who has done what before if the API says so. */
function failureOf(visit: Visit, { status, details }: Refusal, item: api.ReturnDetail): Html {
  const { returns } = visit.texts;
  if (status === 504)
    return item.status === visit.value('status')
      ? ui.failureNote(returns.timeout)
      : ui.note(html`${returns.late} ${stateOf(visit, item)}`, 'warn');
  const { decidedBy, at } = details as { readonly decidedBy?: string | null; readonly at?: string };
  const by = at && html`· ${ui.own(decidedBy ?? returns.bySilence)} · ${visit.instant(at)}`;
  return ui.failureNote(html`${returns.changed} ${visit.texts.statuses[item.status]} ${by}`);
}

/** Sends one move of staff or the decision, and shows the return as it is then. */
const act =
  (move: Move | 'decide', action: StaffReturnAction | null): Act =>
  async (visit) => {
    const { value, send, read, id } = visit;
    const isDecision = move === 'decide';
    if (isDecision && value('confirmed') !== 'true') {
      visit.faults.set('confirmed', visit.texts.returns.unconfirmed);
      const notice = ui.failureNote(visit.texts.returns.unconfirmed);
      return { ...(await showReturn(visit, notice)), status: 400 };
    }
    const reason = value('reason') || null;
    const decision = { outcome: value('outcome'), expectedVersion: Number(value('version')) };
    const body = isDecision ? { ...decision, reason } : { reason };
    try {
      const { status } = await send<api.ReturnDetail>(pathTo(id).below(move), body);
      const done = { done: status, decided: isDecision ? 'true' : null };
      return { next: ui.withQuery(visit.url, done) };
    } catch (error) {
      if (!(error instanceof Refusal) || ![409, 422, 504].includes(error.status)) throw error;
      const { status } = error;
      const item = await read<api.ReturnDetail>(pathTo(id));
      const { decidedBy } = error.details as { readonly decidedBy?: string };
      const isOwn = decidedBy === visit.operator.operatorId;
      // The form was sent twice.
      if (isOwn && returnTransitions.some((row) => row.action === action && row.to === item.status))
        return { next: ui.withQuery(visit.url, { done: item.status }) };
      // Another was first: the next return waits.
      if (status !== 504 && isDecision && item.status !== value('status'))
        return { next: ui.withQuery('/console/returns/next', { after: id, overtaken: id }) };
      return { ...(await showReturn(visit, failureOf(visit, error, item))), status };
    }
  };

/**
 * Leads to the return that staff must decide next, because silence decides nothing: the one after
 * the return `after` in the order of the deadlines, else the first; to the list of all inspections
 * if there is no other.
 */
const openNext: Act = async (visit) => {
  const { value, read } = visit;
  const query = { status: 'UnderInspection' };
  const list = apiPath`/operator/v1/returns`;
  const { items } = await ui.readWhole<api.ListedReturn>(visit, list, query);
  const after = isId(value('after')) ? value('after') : '';
  const deadlineOfAfter =
    after === ''
      ? null
      : (await read<api.ReturnDetail>(pathTo(after))).inspection.inspectionWindowDeadline;
  const others = items.filter(({ id, silenceOutcome }) => id !== after && silenceOutcome === null);
  const isLater = ({ id, inspection: { inspectionWindowDeadline: at } }: api.ListedReturn) =>
    at !== null &&
    deadlineOfAfter !== null &&
    (at === deadlineOfAfter ? id > after : at > deadlineOfAfter);
  const found = others.find(isLater) ?? others[0];
  const path = found === undefined ? '/console/returns' : `/console/returns/${found.id}`;
  const overtaken = value('overtaken');
  return { next: ui.withQuery(path, { ...(found === undefined && query), overtaken }) };
};

export const returnPages: AddPages = (pages) => {
  const { live, show, submit } = pages;
  noteForm(pages, 'return', showReturn);
  live('/console/returns', showReturns, findReturns);
  show('/console/returns/next', openNext);
  show('/console/returns/:id', showReturn);
  for (const [move, action] of [...staffMoves, ['decide', null] as const])
    submit(`/console/returns/:id/${move}`, act(move, action), showReturn);
};
