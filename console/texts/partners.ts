import type { Table } from './table.ts';

/** Vendors and their webhooks. */
export const partnerPages = {
  vendors: {
    title: ['Vendors', 'الموردون'],
    agreement: ['Agreement', 'الاتفاقية'],
    empty: ['No vendor has this name.', 'لا يوجد مورد بهذا الاسم.'],
    add: ['New vendor', 'مورد جديد'],
    models: {
      CostPlusMargin: ['Cost plus markup', 'التكلفة مع هامش'],
      PercentageOfSale: ['Percentage of sale', 'نسبة من سعر البيع'],
    },
    percent: ['Markup or commission, %', 'الهامش أو العمولة، %'],
    cards: {
      offers: ['Offers', 'العروض'],
      decisions: ['Decisions in 90 days', 'القرارات خلال 90 يومًا'],
      rejections: ['Latest rejections', 'آخر حالات الرفض'],
    },
    jobs: {
      title: ['Bulk jobs', 'المهام المجمّعة'],
      items: ['Items', 'العناصر'],
      none: ['No job is kept.', 'لا توجد مهام.'],
      cancel: ['Cancel', 'إلغاء'],
    },
    kinds: {
      createOffers: ['New offers', 'عروض جديدة'],
      updateOffers: ['Edits of offers', 'تعديلات عروض'],
      pushCosts: ['Costs', 'تكاليف'],
      pushSalePrices: ['Sale prices', 'أسعار بيع'],
      pushStocks: ['Stock', 'مخزون'],
    },
    counts: (done: number, failed: number, all: number) => [
      `${done} done, ${failed} failed of ${all}`,
      `نجح ${done} وفشل ${failed} من ${all}`,
    ],
    credentials: {
      title: ['Credentials', 'بيانات الدخول'],
      none: ['None yet.', 'لا يوجد بعد.'],
      expires: ['Expires', 'تنتهي'],
      issue: ['New credential', 'إصدار جديدة'],
    },
    capabilities: ['Capabilities', 'الصلاحيات'],
    off: [
      'It gets no token and no new shipment, and its bulk jobs end. Its offers do not change.',
      'لن يحصل على رموز دخول ولا شحنات جديدة، وتنتهي مهامه المجمّعة. ولا تتغيّر عروضه.',
    ],
    change: ['Change the agreement', 'تغيير الاتفاقية'],
    becomes: (now: string, then: string) => [`${now} → ${then}`, `${now} ← ${then}`],
    moved: ['Offers to reprice', 'عروض يجب إعادة تسعيرها'],
    stopSelling: ['Of them, offers that stop selling', 'منها عروض يتوقف بيعها'],
    stagedDropped: ['Staged prices that are dropped', 'أسعار معلّقة تُحذف'],
    same: ['This agreement is in effect.', 'هذه الاتفاقية سارية الآن.'],
    confirm: ['To confirm, type', 'للتأكيد اكتب'],
    confirmed: ['Change it now', 'تغييرها الآن'],
    wrong: [
      'This does not confirm what the change does by now. Nothing has changed.',
      'هذا لا يؤكد ما يفعله التغيير الآن. لم يتغيّر شيء.',
    ],
    done: (moved: number) => [
      moved === 0 ? 'Done.' : `Done. Offers to reprice: ${moved}.`,
      moved === 0 ? 'تم.' : `تم. عروض لإعادة التسعير: ${moved}.`,
    ],
  },
  webhooks: {
    title: ['Webhooks', 'الإشعارات'],
    times: {
      failingSince: ['Failing since', 'يفشل منذ'],
      last: ['Last attempt', 'آخر محاولة'],
      next: ['Next attempt', 'المحاولة التالية'],
    },
    deadLetters: ['Dead letters', 'تعذّر تسليمها'],
    unrecovered: (count: number) => [`${count} not recovered`, `لم يُعد إرسال ${count}`],
    empty: ['No subscription has this filter.', 'لا يوجد اشتراك بهذه التصفية.'],
    reasons: {
      'The receiver answered 410 Gone.': [
        'The receiver answered 410 Gone.',
        'أجاب المستقبل 410 Gone.',
      ],
      'Nothing but failures for too long.': [
        'Nothing but failures for too long.',
        'فشل متواصل لمدة طويلة.',
      ],
      'Switched off by the vendor.': ['Switched off by the vendor.', 'أوقفه المورد.'],
      'Deleted by the vendor.': ['Deleted by the vendor.', 'حذفه المورد.'],
    },
    deliveries: {
      title: ['Deliveries', 'عمليات التسليم'],
      all: ['All deliveries', 'كل عمليات التسليم'],
    },
    delivery: {
      title: ['Delivery', 'التسليم'],
      event: ['Event', 'الحدث'],
      attempts: ['Attempts', 'المحاولات'],
      redeliver: ['Redeliver', 'إعادة الإرسال'],
    },
    deliveryStates: {
      waiting: ['Waiting', 'بالانتظار'],
      succeeded: ['Delivered', 'تم التسليم'],
      deadLettered: ['Dead letter', 'تعذّر التسليم'],
      cancelled: ['Cancelled', 'ملغى'],
      failed: ['Failed sample', 'عيّنة فشلت'],
    },
    dead: {
      since: ['Dead letter since', 'تعذّر التسليم منذ'],
      before: ['Was a dead letter', 'كان قد تعذّر تسليمه'],
      recovered: ['recovered', 'أُعيد إرساله'],
    },
    recover: ['Recover dead letters', 'إعادة إرسال ما تعذّر تسليمه'],
    since: ['Last attempt since, UTC', 'آخر محاولة منذ، UTC'],
    mustActivate: [
      'Only the vendor can activate it. Recover its dead letters after that.',
      'المورد وحده يستطيع تفعيله. أعد إرسال ما تعذّر تسليمه بعد ذلك.',
    ],
    redelivered: ['The event is delivered again.', 'يُعاد إرسال الحدث.'],
    done: (count: number) => [
      `Dead letters that are delivered again: ${count}.`,
      `عدد الإشعارات التي يُعاد إرسالها: ${count}.`,
    ],
    attempt: (number: number) => [`Attempt ${number}`, `المحاولة ${number}`],
    exchange: {
      request: ['Request', 'الطلب'],
      answer: ['Answer', 'الرد'],
      noText: ['(no text)', '(بلا نص)'],
    },
  },
} as const satisfies Table;
