import { capabilities } from '../../domain/accounts/capabilities.ts';
import { auditLink } from '../audit/audit.ts';
import { html, type Html } from '../html/html.ts';
import * as ui from '../html/ui.ts';
import type {
  CreatedCredential,
  Credential,
  Job,
  ListOf,
  Vendor,
  VendorSummary,
} from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { Act, AddPages, ShowPage, Visit } from '../http/visit.ts';
import { agreementFields, agreementPages, agreementText } from './agreement.ts';

/** One vendor: agreement, offers, decisions, webhooks, jobs, and for an Admin its credentials. */
const showVendor: ShowPage = async (visit, notice) => {
  const { texts, read, may, id } = visit;
  const [vendor, summary, jobs] = await Promise.all([
    read<Vendor>(`/operator/v1/vendors/${id}`),
    read<VendorSummary>(`/operator/v1/vendors/${id}/summary`),
    read<ListOf<Job>>('/operator/v1/jobs', { vendorId: id, pageSize: 10 }),
  ]);
  const done = ui.doneCount(visit);
  const ofVendor = (path: string, text: string): Html =>
    ui.link(withQuery(path, { vendorId: vendor.id }), text);
  return {
    title: vendor.name,
    above: html`${ui.activeChip(visit, vendor)} ${agreementText(visit, vendor.agreement)}`,
    heading: ui.own(vendor.name),
    beside: html`<div class="filter">
      ${may('Reviewer') && ofVendor('/console/offers', texts.queue.title)}
      ${may('Operations') && ofVendor('/console/webhooks', texts.webhooks.title)}
      ${auditLink(visit, vendor.id)}
    </div>`,
    notice: notice ?? (done !== null && ui.doneNote(texts.vendors.done(done))),
    content: html`<div class="cards">${summaryCards(visit, summary)}</div>
      ${jobsSection(visit, jobs.items)}
      ${may('Admin') && (await credentialsSection(visit, vendor.id))}`,
    ...(may('Admin') && { actions: actions(visit, vendor) }),
  };
};

function summaryCards(visit: Visit, summary: VendorSummary): readonly Html[] {
  const { texts, may, instant } = visit;
  const { webhooks, decision, vendors, states } = texts;
  const { decisions, subscriptions, latestRejections, offers } = summary;
  const rejections = latestRejections.map(({ offerId, reason, at }) => {
    const text = ui.own(reason ?? texts.none);
    return [may('Reviewer') ? ui.link(`/console/offers/${offerId}`, text) : text, at] as const;
  });
  return [
    ui.card(
      vendors.cards.offers,
      ui.facts(offers.map(({ status, count }) => [texts.statuses[status], count])),
    ),
    ui.card(
      vendors.cards.decisions,
      ui.facts([
        [decision.done.approve, decisions.approved],
        [decision.done.reject, decisions.rejected],
        [decision.done['pending-price/apply'], decisions.pricesApplied],
        [decision.done['pending-price/discard'], decisions.pricesDiscarded],
      ]),
    ),
    ui.card(vendors.cards.rejections, ui.timeline(visit, rejections)),
    ui.card(
      webhooks.title,
      ui.facts([
        [states.active, subscriptions.active],
        [states.inactive, subscriptions.inactive],
        [webhooks.times.failingSince, instant(subscriptions.failingSince)],
        [webhooks.deadLetters, subscriptions.unrecovered],
      ]),
    ),
  ];
}

function jobsSection({ texts, instant, may }: Visit, jobs: readonly Job[]): Html {
  const { vendors, jobStates } = texts;
  const rows = jobs.map(({ id, vendorId, kind, state, counts, createdAt, workflow }) => [
    ui.outerLink(workflow.url, vendors.kinds[kind]),
    jobStates[state],
    vendors.counts(counts.done, counts.failed, counts.accepted),
    instant(createdAt),
    may('Operations') && (state === 'Queued' || state === 'Running')
      ? ui.postButton(`/console/vendors/${vendorId}/cancel-job`, vendors.jobs.cancel, { job: id })
      : null,
  ]);
  const columns = [vendors.jobs.title, texts.status, vendors.jobs.items, texts.created, ''];
  return ui.section(vendors.jobs.title, ui.rowsTable(columns, rows, vendors.jobs.none));
}

/** A vendor's credentials, each with its switch, and the form that issues another. */
async function credentialsSection(visit: Visit, vendorId: string): Promise<Html> {
  const { texts, instant, read } = visit;
  const { capabilities: label, credentials } = texts.vendors;
  const api = `/operator/v1/vendors/${vendorId}/credentials`;
  const { items } = await read<ListOf<Credential>>(api, { pageSize: 100 });
  const path = `/console/vendors/${vendorId}`;
  const rows = items.map(({ id, isActive, ...credential }) => [
    ui.code(credential.clientId),
    ui.own(credential.capabilities.replaceAll(',', ', ')),
    ui.activeChip(visit, { isActive }),
    instant(credential.expirationDate),
    ui.postButton(`${path}/credential`, isActive ? texts.turnOff : texts.turnOn, {
      credential: id,
      isActive: String(!isActive),
    }),
  ]);
  const columns = ['clientId', label, texts.status, credentials.expires, ''];
  // Each credential names the one environment of the gateway.
  const environment = items[0]?.environment ?? 'Production';
  return ui.section(
    credentials.title,
    html`${ui.rowsTable(columns, rows, credentials.none)}
    ${ui.openedForm({
      action: `${path}/credentials`,
      button: credentials.issue,
      content: html`${ui.hiddenFields({ environment, key: crypto.randomUUID() })}
      ${ui.textField(label, 'capabilities', capabilities.join(','), html`required dir="ltr"`)}`,
    })}`,
  );
}

function actions(visit: Visit, { id, isActive, agreement }: Vendor): Html {
  const { texts } = visit;
  const path = `/console/vendors/${id}`;
  return html`${ui.openedForm({
    action: `${path}/agreement`,
    method: 'get',
    button: texts.vendors.change,
    content: agreementFields(visit, agreement),
  })}
  ${
    isActive
      ? ui.openedForm({
          action: `${path}/active`,
          button: texts.turnOff,
          content: html`${texts.vendors.off}${ui.hiddenFields({ isActive: 'false' })}`,
          isDanger: true,
        })
      : ui.postButton(`${path}/active`, texts.turnOn, { isActive: 'true' })
  }`;
}

/** Issues a credential. The API gives its secret once, and again to a form that is sent twice. */
const issue: Act = async ({ texts, value, id, send }) => {
  const { clientId, clientSecret } = await send<CreatedCredential>(
    `/operator/v1/vendors/${id}/credentials`,
    { environment: value('environment'), capabilities: value('capabilities') },
    { idempotencyKey: value('key') },
  );
  return {
    title: texts.vendors.credentials.title,
    notice: html`<p class="notice warn" role="status">${texts.secretOnce}</p>`,
    content: html`${ui.facts([
      ['clientId', ui.code(clientId)],
      ['clientSecret', ui.code(clientSecret)],
    ])}
    ${ui.link(`/console/vendors/${id}`, texts.vendors.title)}`,
  };
};

const patch = { method: 'PATCH' } as const;
const idOf = ({ value }: Visit, name: string) => encodeURIComponent(value(name));

export const vendorPages: AddPages = (pages) => {
  const path = '/console/vendors/:id';
  pages.show(path, showVendor);
  /** Sends one change, and shows the vendor as it is then. */
  const change = (name: string, send: (visit: Visit, body: object) => Promise<unknown>) =>
    pages.submit(
      `${path}/${name}`,
      async (visit) => {
        await send(visit, { isActive: visit.value('isActive') === 'true' });
        return { next: `/console/vendors/${visit.id}?done=0` };
      },
      showVendor,
    );
  change('active', (visit, body) =>
    visit.send(`/operator/v1/vendors/${visit.id}/active`, body, patch),
  );
  change('credential', (visit, body) =>
    visit.send(`/operator/v1/credentials/${idOf(visit, 'credential')}/active`, body, patch),
  );
  change('cancel-job', (visit) => visit.send(`/operator/v1/jobs/${idOf(visit, 'job')}/cancel`));
  pages.submit(`${path}/credentials`, issue, showVendor);
  agreementPages(showVendor)(pages);
};
