import type { Vendor } from '../http/api-types.ts';
import type { AddPages } from '../http/pages.ts';
import { formOf } from '../http/attempt.ts';
import type { Page, Visit } from '../http/visit.ts';
import { html, type Html } from '../html/html.ts';
import { listPage, readList, searchField } from '../html/list.ts';
import { activeChip, hiddenFields, openedForm } from '../html/parts.ts';
import { agreementFields, agreementOf, agreementText } from './agreement-form.ts';

/** The vendors, the newest first, or those with a text in their names. */
async function showVendors(visit: Visit, notice: Html | null = null): Promise<Page> {
  const { texts, value, may } = visit;
  const { vendors } = texts;
  const filter = { q: value('q') };
  const add = openedForm({
    action: '/console/vendors',
    label: vendors.add,
    button: vendors.add,
    content: html`${hiddenFields({ key: crypto.randomUUID() })}
      <label>${vendors.name}<input name="name" required maxlength="255" /></label>
      ${agreementFields(visit)}`,
  });
  return listPage(visit, await readList<Vendor>(visit, '/operator/v1/vendors', filter), {
    title: vendors.title,
    path: '/console/vendors',
    filter,
    fields: [searchField(visit, vendors.name, 'q')],
    columns: [vendors.name, vendors.agreement, texts.status],
    row: (vendor) => [
      html`<a href="/console/vendors/${vendor.id}"><bdi>${vendor.name}</bdi></a>`,
      agreementText(visit, vendor.agreement),
      activeChip(visit, vendor),
    ],
    empty: vendors.empty,
    before: notice,
    after: may('Admin') ? add : null,
  });
}

const addVendor = formOf(showVendors, async (visit) => {
  const body = { name: visit.value('name'), ...agreementOf(visit) };
  const how = { idempotencyKey: visit.value('key') };
  const { id } = await visit.send<Vendor>('/operator/v1/vendors', body, how);
  return { next: `/console/vendors/${id}` };
});

export const vendorsPages: AddPages = ({ show, submit }) => {
  show('/console/vendors', showVendors);
  submit('/console/vendors', addVendor);
};
