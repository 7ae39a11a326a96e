import type { Vendor } from '../http/api-types.ts';
import type { ShowPage } from '../http/attempt.ts';
import type { AddPages } from '../http/pages.ts';
import { hiddenFields, openedForm, textField } from '../html/forms.ts';
import { html } from '../html/html.ts';
import { listPage, readList, searchField } from '../html/list.ts';
import { activeChip, link, own } from '../html/parts.ts';
import { agreementFields, agreementOf, agreementText } from './agreement-form.ts';

/** The vendors, the newest first, or those with a text in their names. */
const showVendors: ShowPage = async (visit, notice) => {
  const { texts, value, may } = visit;
  const { vendors, name } = texts;
  const list = await readList<Vendor>(visit, '/operator/v1/vendors', { q: value('q') });
  return listPage(visit, list, {
    title: vendors.title,
    notice,
    fields: [searchField(visit, name, 'q')],
    columns: [name, vendors.agreement, texts.status],
    row: (vendor) => [
      link(`/console/vendors/${vendor.id}`, own(vendor.name)),
      agreementText(visit, vendor.agreement),
      activeChip(visit, vendor),
    ],
    empty: vendors.empty,
    after:
      may('Admin') &&
      openedForm({
        action: '/console/vendors',
        button: vendors.add,
        content: html`${hiddenFields({ key: crypto.randomUUID() })}
        ${textField(name, 'name', value('name'), html`required maxlength="255"`)}
        ${agreementFields(visit)}`,
        isOpen: notice !== undefined,
      }),
  });
};

export const vendorsPages: AddPages = ({ show, submit }) => {
  show('/console/vendors', showVendors);
  const add = async (visit: Parameters<ShowPage>[0]) => {
    const body = { name: visit.value('name'), ...agreementOf(visit) };
    const how = { idempotencyKey: visit.value('key') };
    const { id } = await visit.send<Vendor>('/operator/v1/vendors', body, how);
    return { next: `/console/vendors/${id}` };
  };
  submit('/console/vendors', add, showVendors);
};
