import { capabilities } from '../../domain/accounts/capabilities.ts';
import type { Environment } from '../../domain/accounts/credentials.ts';
import { auditLink } from '../audit/audit.ts';
import { noteForm, notesCard } from '../notes/notes.ts';
import { apiPath, change, html, switchActive, ui } from '../page.ts';
import type { Act, api, Html, Page, Pages, ShowPage, Visit } from '../page.ts';
import { agreementFields, agreementOf, agreementPages, agreementText } from './agreement.ts';

/** The vendors, the newest first, or those with a text in their names. */
const showVendors: ShowPage = async (visit, notice) => {
  const { texts, value, typed, may } = visit;
  const { vendors, name } = texts;
  const form = ui.inForm(visit, '/console/vendors');
  const list = await ui.readFiltered<api.Vendor>(visit, apiPath`/operator/v1/vendors`, {
    q: value('q'),
  });
  return ui.listPage(visit, list, {
    title: vendors.title,
    notice,
    fields: [ui.searchField(visit, name, 'q')],
    columns: [name, texts.decision.fields.agreement, texts.status],
    row: (vendor) => [
      ui.link(`/console/vendors/${vendor.id}`, ui.own(vendor.name)),
      agreementText(visit, vendor.agreement),
      ui.activeChip(visit, vendor),
    ],
    empty: vendors.empty,
    after:
      may('Admin') &&
      ui.openedForm(form, {
        button: vendors.add,
        content: html`${ui.hiddenFields({ key: ui.formKey(form) })}
        ${ui.textField(form, name, 'name', typed('name'), html`required maxlength="255"`)}
        ${agreementFields(form)}`,
      }),
  });
};

const add: Act = async (visit) => {
  const body = { name: visit.value('name'), ...agreementOf(visit) };
  const { id } = await visit.send<api.Vendor>(apiPath`/operator/v1/vendors`, body);
  return { next: `/console/vendors/${id}` };
};

/** One vendor: agreement, offers, decisions, webhooks, jobs, and for an Admin its credentials. */
const showVendor: ShowPage = async (visit, notice) => {
  const { texts, read, may, id } = visit;
  visit.found.listed = { path: apiPath`/operator/v1/jobs`, filter: { vendorId: id } };
  const [vendor, summary, jobs] = await ui.allInOrder([
    read<api.Vendor>(apiPath`/operator/v1/vendors/${id}`),
    read<api.VendorSummary>(apiPath`/operator/v1/vendors/${id}/summary`),
    read<api.ListOf<api.Job>>(apiPath`/operator/v1/jobs`, { vendorId: id, pageSize: 10 }),
  ]);
  const path = `/console/vendors/${vendor.id}`;
  const switching = ui.inForm(visit, `${path}/agreement`);
  // The form that leads to the preview has its fields in the address.
  const isPreview = visit.url.includes('/agreement?');
  const ofVendor = (page: string, text: string): Html =>
    ui.link(ui.withQuery(page, { vendorId: vendor.id }), text);
  return {
    title: vendor.name,
    above: html`${ui.activeChip(visit, vendor)} ${agreementText(visit, vendor.agreement)}`,
    beside: html`<div class="filter">
      ${may('Reviewer') && ofVendor('/console/offers', texts.queue.title)}
      ${may('Operations') && ofVendor('/console/webhooks', texts.webhooks.title)}
      ${auditLink(visit, vendor.id)}
    </div>`,
    notice: notice ?? ui.doneNote(visit, texts.vendors.done),
    content: html`<div class="cards">
        ${summaryCards(visit, summary)} ${await notesCard(visit, 'vendor')}
      </div>
      ${jobsSection(visit, jobs)} ${may('Admin') && (await credentialsSection(visit, vendor.id))}`,
    actions: may('Admin') && [
      ui.openedForm(isPreview ? { ...switching, isOpen: true } : switching, {
        method: 'get',
        button: texts.vendors.change,
        content: agreementFields(isPreview ? visit : switching, vendor.agreement),
      }),
      ui.switchForm(visit, `${path}/active`, vendor, vendor.isActive && texts.vendors.off),
    ],
  };
};

function summaryCards(visit: Visit, summary: api.VendorSummary): readonly Html[] {
  const { texts, may, instant } = visit;
  const { webhooks, decision, vendors, states } = texts;
  const { decisions, subscriptions, latestRejections, offers } = summary;
  const rejections = latestRejections.map(({ offerId, reason, at }) => {
    const text = ui.own(reason ?? texts.none);
    return [may('Reviewer') ? ui.link(`/console/offers/${offerId}`, text) : text, at] as const;
  });
  return [
    ui.factsCard(
      texts.offers.title,
      offers.map(({ status, count }) => {
        const page = ui.withQuery('/console/all-offers', { vendorId: visit.id, status });
        return [texts.statuses[status], may('Reviewer') ? ui.link(page, count) : count];
      }),
    ),
    ui.factsCard(vendors.decisions, [
      [decision.done['offer.approve'], decisions.approved],
      [decision.done['offer.reject'], decisions.rejected],
      [decision.done['offer.returnToReview'], decisions.returnedToReview],
      [decision.done['offer.applyPrice'], decisions.pricesApplied],
      [decision.done['offer.discardPrice'], decisions.pricesDiscarded],
    ]),
    ui.card(vendors.rejections, ui.timeline(visit, rejections)),
    ui.factsCard(webhooks.title, [
      [states.active, subscriptions.active],
      [states.inactive, subscriptions.inactive],
      [webhooks.failingSince, instant(subscriptions.failingSince)],
      [webhooks.deadLetters, subscriptions.unrecovered],
    ]),
  ];
}

function jobsSection(visit: Visit, jobs: api.ListOf<api.Job>): Html {
  const { texts, instant, may } = visit;
  const { vendors, jobStates, many } = texts;
  const rows = jobs.items.map(({ id, vendorId, kind, state, counts, createdAt, workflow }) => [
    ui.outerLink(workflow.url, vendors.kinds[kind]),
    jobStates[state],
    vendors.counts(counts.done, counts.failed, counts.accepted),
    instant(createdAt),
    may('Operations') && (state === 'Queued' || state === 'Running')
      ? ui.openedForm(
          { action: `/console/vendors/${vendorId}/cancel-job` },
          { button: many.cancel, content: ui.hiddenFields({ job: id }), isDanger: true },
        )
      : null,
  ]);
  const columns = [vendors.jobs, texts.status, vendors.jobItems, texts.created, ''];
  const { totalCount } = jobs.pagination;
  const isLonger = totalCount > rows.length;
  return ui.section(vendors.jobs, [
    ui.rowsTable(columns, rows, vendors.noJobs),
    isLonger && ui.hint(texts.firstOf(rows.length, totalCount)),
    rows.length > 0 && ui.exportLink(visit),
  ]);
}

/** A vendor's credentials, each with its switch, and the form that issues another. */
async function credentialsSection(visit: Visit, vendorId: string): Promise<Html> {
  const { texts, instant } = visit;
  const { vendors } = texts;
  const route = apiPath`/operator/v1/vendors/${vendorId}/credentials`;
  const list = await ui.readWhole<api.Credential>(visit, route);
  const path = `/console/vendors/${vendorId}`;
  const rows = list.items.map((item) => [
    ui.code(item.clientId),
    ui.own(item.capabilities.replaceAll(',', ', ')),
    ui.activeChip(visit, item),
    instant(item.expirationDate),
    ui.switchForm(visit, `${path}/credential`, item, ui.hiddenFields({ credential: item.id })),
  ]);
  const columns = ['clientId', vendors.capabilities, texts.status, vendors.expires, ''];
  const form = ui.inForm(visit, `${path}/credentials`);
  const chosen = form.isOpen ? visit.list('capabilities') : capabilities;
  const boxes = capabilities.map((name) =>
    ui.box(name, 'capabilities', name, chosen.includes(name)),
  );
  return ui.section(
    vendors.credentials,
    html`${ui.rowsTable(columns, rows, vendors.noCredentials)} ${ui.moreHint(visit, list)}
    ${ui.openedForm(form, {
      button: vendors.issue,
      content: html`${ui.hiddenFields({ key: ui.formKey(form) })}
        <fieldset>
          <legend>${vendors.capabilities}</legend>
          ${boxes} ${ui.faultOf(form, 'capabilities')}
        </fieldset>`,
    })}`,
  );
}

/** Issues a credential. The API gives its secret once, and again to a form that is sent twice. */
async function issue({ texts, list, id, send }: Visit, environment: Environment): Promise<Page> {
  const path = apiPath`/operator/v1/vendors/${id}/credentials`;
  const body = { environment, capabilities: list('capabilities').join(',') };
  const { clientId, clientSecret } = await send<api.CreatedCredential>(path, body);
  return {
    title: texts.vendors.credentials,
    notice: ui.note(texts.secretOnce, 'warn'),
    content: html`${ui.facts([
      ['clientId', ui.code(clientId)],
      ['clientSecret', ui.code(clientSecret)],
    ])}
    ${ui.link(`/console/vendors/${id}`, texts.vendors.title)}`,
  };
}

export function vendorPages(pages: Pages, environment: Environment): void {
  const path = '/console/vendors/:id';
  pages.show('/console/vendors', showVendors);
  pages.submit('/console/vendors', add, showVendors);
  pages.show(path, showVendor);
  const changes = {
    active: (visit: Visit) => switchActive(visit, apiPath`/operator/v1/vendors/${visit.id}`),
    credential: (visit: Visit) =>
      switchActive(visit, apiPath`/operator/v1/credentials/${visit.value('credential')}`),
    'cancel-job': ({ value, send }: Visit) =>
      send(apiPath`/operator/v1/jobs/${value('job')}/cancel`),
  };
  for (const [name, call] of Object.entries(changes))
    pages.submit(`${path}/${name}`, change(call, '?done=0'), showVendor);
  pages.submit(`${path}/credentials`, (visit) => issue(visit, environment), showVendor);
  noteForm(pages, 'vendor', showVendor);
  agreementPages(pages, showVendor);
}
