import type * as v from 'valibot';
import type { SubscriptionStatistics } from '../../../db/webhooks/subscriptions/subscription-statistics.ts';
import { field, orNull, titled } from '../../validation/response-parts.ts';

/** A subscription's last day. */
export const statisticsResponse = titled('WebhookStatistics', {
  from: field.instant('The start of the time, in UTC.', '2026-11-02T10:05:00.000Z'),
  to: field.instant('Its end: now, in UTC.', '2026-11-03T10:05:00.000Z'),
  deliveries: field.integer('The number of events with an attempt in this time.', 240),
  attempts: field.integer('The number of attempts, those in progress included.', 252),
  succeeded: field.integer('The number of attempts that your receiver answered with 2xx.', 240),
  failed: field.integer('The number of attempts that failed.', 12),
  attemptsPerHour: field.decimal('The attempts for each hour, on average.', 10.5),
  answerTime: orNull(
    titled('AnswerTime', {
      p50Ms: field.integer('The median response time, in milliseconds.', 85),
      p95Ms: field.integer('The 95th percentile of response times, in milliseconds.', 410),
    }),
    'How long your receiver took to answer, with look-up and connection; null without a response.',
  ),
});

export const statistics = ({
  p50Ms,
  p95Ms,
  ...counts
}: SubscriptionStatistics): v.InferInput<typeof statisticsResponse> => ({
  ...counts,
  attemptsPerHour: Math.round((counts.attempts / 24) * 100) / 100,
  answerTime: p50Ms === null || p95Ms === null ? null : { p50Ms, p95Ms },
});
