import * as v from 'valibot';
import { findVendor } from '../../db/accounts/vendors.ts';
import { readActivity, statisticUnits, type StatisticUnit } from '../../db/statistics/activity.ts';
import { countInspectionEnds } from '../../db/upcoming/upcoming-changes.ts';
import { staffRoles } from '../../domain/accounts/operator-roles.ts';
import { decisionEntries } from '../accounts/responses/vendor-summary.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { orNotFound } from '../http/api-error.ts';
import { described } from '../validation/described.ts';
import { enumParameter, query, vendorIdParameter } from '../validation/query.ts';
import { field, list, titled } from '../validation/response-parts.ts';

const units = Object.keys(statisticUnits) as [StatisticUnit, ...StatisticUnit[]];

const pointResponse = titled('StatisticsPoint', {
  at: field.instant('Its begin, in UTC.', '2026-11-21T09:00:00.000Z'),
  delivered: field.integer('Attempts of webhooks with a 2xx response, without samples.', 840),
  failed: field.integer('Attempts that failed.', 6),
  ...decisionEntries,
  returnsRequested: field.integer('Returns that were requested.', 3),
  returnsDecided: field.integer('Returns that an operator or silence decided.', 2),
  offersWaiting: field.integer('The offers that waited for a reviewer at its end.', 41),
  medianWaitMs: field.integerOrNull(
    'The median of how long the offers of its decisions had waited, within 5 % from a minute on; null ' +
      'without any.',
    14_400_000,
  ),
  p90WaitMs: field.integerOrNull(
    'The 90th percentile of how long they had waited, within 5 % from a minute on; null without ' +
      'any.',
    79_200_000,
  ),
});

const endsResponse = titled('InspectionEnds', {
  at: field.instant('The hour, in UTC.', '2026-11-28T11:00:00.000Z'),
  count: field.integer('The inspection windows that end in it.', 4),
});

export const statisticsResponse = titled('ServiceStatistics', {
  unit: described(v.picklist(units), 'The length of a point.', 'hour'),
  reviewTargetHours: field.integerOrNull(
    '`REVIEW_TARGET_HOURS`: the hours in which an offer is decided on; null without a target.',
    48,
  ),
  points: list(pointResponse, 'The points, oldest first; the last one is not over.'),
  inspectionEnds: list(
    endsResponse,
    'The hours of the next eight days in which inspection windows end, the soonest first. Overdue ' +
      'windows are in the present hour.',
  ),
});

/** What happened in the last hours or days, of the service or of a vendor. */
export const operatorStatisticsRoute: AddRoutes = (app, dependencies) => {
  const { sql } = dependencies;
  const reviewTargetHours = dependencies.reviewTargetHours || null;
  operatorRoutes(app, { role: staffRoles, tag: 'Operator: statistics' })({
    at: 'GET /operator/v1/statistics',
    operationId: 'readStatistics',
    summary: 'Count what happened by hour or day',
    description:
      'Counts deliveries, decisions and returns, and gives the offers that waited: for the last ' +
      '48 hours or 30 days, of all vendors or of one.',
    query: query({
      unit: enumParameter(units, 'By hour (the default) or by day, in UTC.', 'day'),
      vendorId: vendorIdParameter,
    }),
    payload: statisticsResponse,
    refusals: ['NOT_FOUND_VENDOR'],
    handler: async ({ query: { unit: asked, vendorId } }) => {
      const unit = asked ?? 'hour';
      if (vendorId !== null) orNotFound(await findVendor(sql, vendorId), 'NOT_FOUND_VENDOR');
      const [points, inspectionEnds] = await Promise.all([
        readActivity(sql, { vendorId, unit }),
        countInspectionEnds(sql, vendorId),
      ]);
      return { unit, reviewTargetHours, points, inspectionEnds };
    },
  });
};
