import { everyPage } from './common.ts';
import { partnerPages } from './partners.ts';
import type { Table } from './table.ts';

type Names = Readonly<Record<string, readonly [english: string, arabic: string]>>;

/** What the audit log records, by the type of the subject and the action. */
export const auditActions = {
  'offer.create': ['Offer entered', 'إدخال عرض'],
  'offer.approve': ['Offer approved', 'اعتماد عرض'],
  'offer.reject': ['Offer rejected', 'رفض عرض'],
  'offer.applyPrice': ['Price applied', 'تطبيق سعر'],
  'offer.discardPrice': ['Price discarded', 'رفض سعر جديد'],
  'offer.returnToReview': ['Offer returned to review', 'إرجاع عرض إلى المراجعة'],
  'offer.undo': ['Decision taken back', 'التراجع عن قرار'],
  'offer.suspend': ['Offer suspended', 'إيقاف عرض'],
  'offer.reinstate': ['Offer reinstated', 'إعادة عرض'],
  'reviewJob.start': ['Review job started', 'بدء مهمة مراجعة'],
  'reviewJob.cancel': ['Review job cancelled', 'إلغاء مهمة مراجعة'],
  'return.create': ['Return requested', 'طلب مرتجع'],
  'return.approve': ['Return approved', 'الموافقة على مرتجع'],
  'return.reject': ['Return refused', 'عدم قبول مرتجع'],
  'return.inTransit': ['Return in transit', 'مرتجع في الطريق'],
  'return.receive': ['Return received', 'استلام مرتجع'],
  'return.startInspection': ['Inspection started', 'بدء فحص مرتجع'],
  'return.decide': ['Return decided', 'البتّ في مرتجع'],
  'return.releaseRefund': ['Refund released', 'رد مبلغ'],
  'return.withdraw': ['Return withdrawn', 'سحب مرتجع'],
  'return.close': ['Return closed', 'إغلاق مرتجع'],
  'order.create': ['Order taken', 'تسجيل طلب'],
  'group.assign': ['Shipment assigned', 'إسناد شحنة'],
  'group.update': ['Shipment changed', 'تغيير شحنة'],
  'delivery.redeliver': ['Delivery repeated', 'إعادة تسليم إشعار'],
  'subscription.create': ['Subscription made', 'إنشاء اشتراك'],
  'subscription.update': ['Subscription changed', 'تغيير اشتراك'],
  'subscription.active': ['Subscription switched on or off', 'تفعيل اشتراك أو إيقافه'],
  'subscription.delete': ['Subscription deleted', 'حذف اشتراك'],
  'subscription.recover': ['Deliveries recovered', 'استعادة إشعارات'],
  'subscription.rotate-secret': ['Signing secret replaced', 'تبديل سر التوقيع'],
  'credential.create': ['Credential made', 'إنشاء بيانات دخول'],
  'credential.active': ['Credential switched on or off', 'تفعيل بيانات دخول أو إيقافها'],
  'credential.delete': ['Credential deleted', 'حذف بيانات دخول'],
  'vendor.create': ['Vendor added', 'إضافة مورد'],
  'vendor.active': ['Vendor switched on or off', 'تفعيل مورد أو إيقافه'],
  'vendor.agreement': ['Agreement changed', 'تغيير اتفاقية'],
  'vendor.profile': ['Profile of a vendor changed', 'تغيير بيانات مورد'],
  'vendor.reset': ['Sandbox vendor reset', 'إعادة ضبط مورد تجريبي'],
  'variant.create': ['Variant added', 'إضافة صنف'],
  'variant.active': ['Variant switched on or off', 'تفعيل صنف أو إيقافه'],
  'job.cancel': ['Bulk job cancelled', 'إلغاء مهمة جماعية'],
  'note.create': ['Note added', 'إضافة ملاحظة'],
  'operator.create': ['Operator added', 'إضافة عضو إلى الفريق'],
  'operator.active': ['Operator switched on or off', 'تفعيل عضو في الفريق أو إيقافه'],
  'operator.rotate-secret': ['Secret of an operator replaced', 'تبديل سر عضو في الفريق'],
  'operator.settings': ['Settings of an operator changed', 'تغيير إعدادات عضو في الفريق'],
} as const satisfies Names;

/** Why an attempt of a webhook has failed, by the first word of its `errorSummary`. */
const attemptFailures: Names = {
  http_status: ['The receiver refused it', 'رفضه المستقبل'],
  redirect_not_followed: ['The receiver redirected it', 'أعاد المستقبل توجيهه'],
  timeout: ['No answer in time', 'لا رد في الوقت المحدد'],
  dns_error: ['The host name has no address', 'اسم المضيف بلا عنوان'],
  connection_refused: ['No server listens there', 'لا خادم على هذا المنفذ'],
  connection_reset: ['The connection broke', 'انقطع الاتصال'],
  network_unreachable: ['No route to the address', 'لا طريق إلى العنوان'],
  tls_error: ['The certificate or handshake failed', 'فشل الشهادة أو الاتصال الآمن'],
  destination_blocked: ['The guardrail refuses the address', 'عنوان غير مسموح به'],
  subscription_inactive: ['The subscription became inactive', 'لم يعد الاشتراك مفعّلًا'],
  worker_lost: ['The gateway stopped before the result', 'توقفت البوابة قبل معرفة النتيجة'],
};

type Texts = Readonly<Record<string, string>>;

/** What is wrong with a field, by its code; the API says it in English. */
const arabicFieldErrors: Texts = {
  agreement_mismatch: 'لا يناسب اتفاقية المورد',
  duplicate: 'مكرر',
  invalid: 'غير صالح',
  invalid_amount: 'ليس مبلغًا صالحًا بخانتين عشريتين على الأكثر',
  invalid_barcode: 'ليس باركودًا صالحًا',
  invalid_capabilities: 'صلاحيات غير صالحة',
  invalid_characters: 'فيه رموز غير مسموح بها',
  invalid_date: 'ليس تاريخًا صالحًا',
  invalid_first_day: 'ليس تاريخًا صالحًا، أو هو بعد تاريخ النهاية',
  invalid_email: 'ليس بريدًا إلكترونيًا صالحًا',
  invalid_hours: 'ليس عدد ساعات صالحًا',
  invalid_integer: 'ليس عددًا صحيحًا',
  invalid_order_id: 'ليس رقم طلب صالحًا',
  invalid_percent: 'ليست نسبة صالحة',
  invalid_percentage: 'ليست نسبة صالحة',
  invalid_return_number: 'ليس رقم مرتجع صالحًا',
  invalid_time_zone: 'ليست منطقة زمنية معروفة',
  invalid_type: 'نوع القيمة غير صحيح',
  invalid_url: 'ليس رابطًا صالحًا',
  invalid_uuid: 'ليس معرّفًا صالحًا',
  not_allowed: 'قيمة غير مسموح بها',
  not_of_lines: 'ليس من البنود',
  required: 'مطلوب',
  taken: 'مستخدم من قبل',
  too_few: 'أقل من الحد الأدنى',
  too_large: 'أكبر من الحد الأعلى',
  too_long: 'أطول من الحد الأعلى',
  too_many: 'أكثر من الحد الأعلى',
  too_small: 'أصغر من الحد الأدنى',
  unknown: 'غير معروف',
  unknown_field: 'ليس من حقول هذا الطلب',
  unknown_variant: 'لا يوجد صنف كهذا',
};

/** What is wrong with a parameter of a filter; the API gives an English text and no code. */
const filterErrors: Texts = {
  barcode: 'invalid_barcode',
  returnRequestNumber: 'invalid_return_number',
  vendorId: 'invalid_uuid',
  subjectId: 'invalid_uuid',
  subscriptionId: 'invalid_uuid',
  from: 'invalid_first_day',
  to: 'invalid_date',
  q: 'too_long',
  code: 'too_long',
  brand: 'too_long',
  reference: 'too_long',
  operatorId: 'too_long',
};

/** What each check of the doctor finds in order, by its id; the API says it in English. */
const arabicChecks: Texts = {
  'sequence-behind': 'لا يعطي أي تسلسل رقمًا مرتين',
  'message-stuck': 'لا رسالة في الصادر أقدم من خمس دقائق',
  'message-set-aside': 'لا رسالة موضوعة جانبًا',
  'snapshot-old': 'لا جلسة قديمة تُبقي الصفوف المحذوفة',
  'secret-without-key': 'كل سر لإشعارات الويب يُفتح بأحد مفاتيح SECRETS_KEY',
  'secret-under-old-key': 'كل سر لإشعارات الويب مغلق بأول مفاتيح SECRETS_KEY',
  'review-without-run': 'لكل عرض قيد المراجعة سير عمل مفتوح',
  'return-without-run': 'لكل مرتجع مفتوح سير عمل مفتوح',
  'delivery-without-run': 'لكل تسليم ينتظر إعادة المحاولة سير عمل مفتوح',
  'switch-without-run': 'لكل اتفاقية لم تُحفظ بعد سير عمل مفتوح',
  'clock-without-run': 'لكل ساعة تتقدم سير عمل مفتوح',
  'job-without-run': 'لأول مهمة مفتوحة لكل مورد سير عمل مفتوح',
  'review-job-without-run': 'لأول مهمة مراجعة مفتوحة لكل عضو سير عمل مفتوح',
  'review-run-differs': 'كل مراجعة مفتوحة توافق عرضها',
  'return-run-differs': 'كل فحص مفتوح يوافق مرتجعه',
  'delivery-run-differs': 'كل سير عمل لتسليم يوافق تسليمه',
  'event-without-delivery': 'لكل حدث عمليات تسليمه',
  'event-gap': 'أرقام أحداث كل مورد متتالية بلا فجوة',
  'attempt-without-end': 'لكل محاولة انتهت نتيجتها',
  'attempt-numbers': 'محاولات كل تسليم معدودة بلا فجوة',
  'delivery-unlisted': 'تجد القوائم بحسب الحالة كل تسليم منتظر أو منته بلا نجاح',
  'supply-differs': 'كل خيار توريد يوافق عرضه',
  'offer-unfound': 'يجد البحث في القائمة كل عرض منتظر',
  'offer-history': 'حالة كل عرض هي آخر ما في سجله',
  'return-history': 'حالة كل مرتجع هي آخر ما في سجله',
  'offer-counts': 'أعداد العروض المحفوظة صحيحة',
  'list-counts': 'أعداد الشحنات والمرتجعات المحفوظة صحيحة',
  'attempt-counts': 'أعداد المحاولات المحفوظة صحيحة',
  'delivery-counts': 'أعداد عمليات التسليم المحفوظة صحيحة',
  'audit-counts': 'أعداد قيود التدقيق المحفوظة صحيحة',
  'activity-counts': 'الأعداد المحفوظة لكل ساعة صحيحة',
  'secret-in-history': 'لا سر في أي سجل لسير عمل',
};

/**
 * What the doctor finds, as it says it in English, with `{}` for a value. The first sentence that
 * fits counts: a sentence with a word of its own comes before the one with a value for it.
 */
const arabicFindings: Texts = {
  'waits, and has no open run': 'بالانتظار، وبلا سير عمل مفتوح',
  'has an open run, and no row in the record': 'له سير عمل مفتوح، ولا سجل له',
  'has an open run, and is {}: it waits for nothing': 'له سير عمل مفتوح، وحالته {}: لا ينتظر شيئًا',
  'has a run that has not read the record since it started': 'لم يقرأ سير عمله السجل منذ بدئه',
  'is {}, and its run takes it for {}': 'حالته {}، وهي {} في سير عمله',
  'has version {}, and its run has read version {}': 'إصداره {}، وقرأ سير عمله الإصدار {}',
  'has been overdue since {}, and its run does nothing': 'متأخر منذ {}، وسير عمله لا يفعل شيئًا',
  'waits for a reviewer, and a search does not find it': 'ينتظر مراجعًا، ولا يجده البحث',
  'does not wait for a reviewer, and a search finds it': 'لا ينتظر مراجعًا، ويجده البحث',
  'the kept count is {}, and there are {}': 'العدد المحفوظ {}، والعدد الفعلي {}',
  '{}: the kept count is {}, and there are {}': '{}: العدد المحفوظ {}، والعدد الفعلي {}',
  '{} for {} waits since {}, after {} attempts': '{} إلى {} بالانتظار منذ {}، بعد {} من المحاولات',
  '{} for {} was set aside': '{} إلى {} موضوعة جانبًا',
  'of {} is at {}, and the highest number is {}': 'تسلسل {} عند {}، وأعلى رقم {}',
  'is {}, and its latest status change is to nothing': 'حالته {}، ولا تغيّر في سجله',
  'is {}, and its latest status change is to {}': 'حالته {}، وآخر تغيّر في سجله إلى {}',
  'is {} and has no supply option': 'حالته {}، وبلا خيار توريد',
  'is {} and has a paused supply option': 'حالته {}، وخيار توريده موقوف',
  'is {} and sells all the same': 'حالته {}، ومع ذلك يُباع',
  'is {} and has a supply option of another vendor': 'حالته {}، وخيار توريده لمورد آخر',
  'is {} and has a supply option with another stock': 'حالته {}، ومخزون خيار توريده مختلف',
  'is {} and has a supply option of another variant': 'حالته {}، وخيار توريده لصنف آخر',
  'is {} and has a supply option with another price': 'حالته {}، وسعر خيار توريده مختلف',
  'attempt {} of delivery {} has no result': 'المحاولة {} للتسليم {} بلا نتيجة',
  'counts {} attempts, and the latest stored one has number {}':
    'عدد محاولاته {}، ورقم آخر محاولة محفوظة {}',
  'misses an attempt: {} are stored, of the numbers {} to {}':
    'تنقصه محاولة: المحفوظ {} من الأرقام {} إلى {}',
  'is under way without an attempt that lacks a result': 'قيد التنفيذ بلا محاولة تنتظر نتيجة',
  'is {}, and listed as nothing': 'حالته {}، وليس في أي قائمة',
  'is {}, and listed as {}': 'حالته {}، وهو في قائمة {}',
  '{} of vendor {} has {} of {} deliveries': '{} للمورد {} له {} من {} من عمليات التسليم',
  'has {} events of the numbers {} to {}, the last of them {}':
    'له {} من الأحداث ذات الأرقام {} إلى {}، وآخرها {}',
  'has a secret whose bytes are damaged: its vendor has to rotate it':
    'سره تالف: على المورد تبديله',
  'has a secret under {}: add that key to SECRETS_KEY, or have its vendor rotate the secret':
    'سره مغلق بـ{}: أضف هذا المفتاح إلى SECRETS_KEY أو اطلب من المورد تبديل السر',
  'has custom headers that do not open, under {}: add that key to SECRETS_KEY, or have its vendor set them again':
    'ترويساته مغلقة بـ{} ولا تُفتح: أضف هذا المفتاح إلى SECRETS_KEY أو اطلب من المورد إدخالها مجددًا',
  'has custom headers under {}, which is not the first key of SECRETS_KEY':
    'ترويساته مغلقة بـ{}، وليس أول مفاتيح SECRETS_KEY',
  'has a secret under {}, which is not the first key of SECRETS_KEY':
    'سره مغلق بـ{}، وليس أول مفاتيح SECRETS_KEY',
  'has {} in event {}': 'فيه {} في الحدث {}',
  'keeps the rows that the last {} transactions deleted, since {}':
    'تُبقي الصفوف التي حذفتها آخر {} من المعاملات، منذ {}',
  'keeps the rows that the last {} transactions deleted':
    'تُبقي الصفوف التي حذفتها آخر {} من المعاملات',
};

/** The values of findings that are words: states, kinds of secrets, and keys. */
const findingValues: Names = {
  ...everyPage.statuses,
  ...partnerPages.webhooks.deliveryStates,
  batched: ['batched', 'في قائمة الانتظار'],
  'a key that it does not name': ['a key that it does not name', 'مفتاح لا يذكره'],
  'a webhook secret': ['a webhook secret', 'سر لإشعارات الويب'],
  "a credential's secret": ["a credential's secret", 'سر بيانات دخول'],
  "an operator's secret": ["an operator's secret", 'سر عضو في الفريق'],
  'a token': ['a token', 'رمز دخول'],
  'a private key': ['a private key', 'مفتاح خاص'],
  'a URL with a password': ['a URL with a password', 'رابط فيه كلمة مرور'],
};

/** A value, or the values of several columns. */
const arabicValue = (text: string): string =>
  text
    .split(', ')
    .map((value) => findingValues[value]?.[1] ?? value.replace(/^the key /, 'المفتاح '))
    .join('، ');

const findingPatterns = Object.entries(arabicFindings).map(([english, arabic]) => {
  return [new RegExp(`^${english.replaceAll('{}', '(.+?)')}$`), arabic] as const;
});

/** A sentence of the doctor in Arabic; one of another kind as it is. */
function arabicFinding(text: string): string {
  for (const [pattern, arabic] of findingPatterns) {
    const found = pattern.exec(text);
    const values = found?.slice(1).map(arabicValue) ?? [];
    // Each value has a direction of its own.
    if (found !== null) return arabic.replaceAll('{}', () => `\u2068${values.shift()}\u2069`);
  }
  return text;
}

/** The names of the API's codes, in words; the pages show the code beside each. */
export const codeNames = {
  codes: {
    auditAction: (code: string) => (auditActions as Names)[code] ?? [code, code],
    attemptFailure: (summary: string) =>
      attemptFailures[summary.split(':', 1)[0] ?? ''] ?? [summary, summary],
    fieldError: (code: string, message: string) => [message, arabicFieldErrors[code] ?? message],
    filterError: (parameter: string, message: string) => [
      message,
      arabicFieldErrors[filterErrors[parameter] ?? ''] ?? message,
    ],
    check: (id: string, title: string) => [title, arabicChecks[id] ?? title],
    finding: (text: string) => [text, arabicFinding(text)],
  },
} as const satisfies Table;
