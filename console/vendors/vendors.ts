import { html } from '../html/html.ts';
import * as ui from '../html/ui.ts';
import type { Vendor } from '../http/api-types.ts';
import type { Act, AddPages, ShowPage } from '../http/visit.ts';
import { agreementFields, agreementOf, agreementText } from './agreement.ts';

/** The vendors, the newest first, or those with a text in their names. */
const showVendors: ShowPage = async (visit, notice) => {
  const { texts, value, may } = visit;
  const { vendors, name } = texts;
  const list = await ui.readList<Vendor>(visit, '/operator/v1/vendors', { q: value('q') });
  return ui.listPage(visit, list, {
    title: vendors.title,
    notice,
    fields: [ui.searchField(visit, name, 'q')],
    columns: [name, vendors.agreement, texts.status],
    row: (vendor) => [
      ui.link(`/console/vendors/${vendor.id}`, ui.own(vendor.name)),
      agreementText(visit, vendor.agreement),
      ui.activeChip(visit, vendor),
    ],
    empty: vendors.empty,
    after:
      may('Admin') &&
      ui.openedForm({
        action: '/console/vendors',
        button: vendors.add,
        content: html`${ui.hiddenFields({ key: crypto.randomUUID() })}
        ${ui.textField(name, 'name', value('name'), html`required maxlength="255"`)}
        ${agreementFields(visit)}`,
        isOpen: notice !== undefined,
      }),
  });
};

const add: Act = async (visit) => {
  const body = { name: visit.value('name'), ...agreementOf(visit) };
  const how = { idempotencyKey: visit.value('key') };
  const { id } = await visit.send<Vendor>('/operator/v1/vendors', body, how);
  return { next: `/console/vendors/${id}` };
};

export const vendorsPages: AddPages = ({ show, submit }) => {
  show('/console/vendors', showVendors);
  submit('/console/vendors', add, showVendors);
};
