import { checks } from '../../doctor/checks.ts';
import { examineWithin, isClean, type CheckResult } from '../../doctor/examine.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { enumParameter, query } from '../validation/query.ts';
import { enumeration, field, list, titled } from '../validation/response-parts.ts';
import { sample } from '../validation/sample.ts';
import { workflowLink, workflowLinkOrNullTo } from './workflow-link.ts';

/** Below ten seconds, after which many clients give up; `npm run doctor` has no limit. */
const timeLimitMs = 8000;
const findingsMax = 20;
/** The newest runs, whose histories are searched for secrets. */
const historiesMax = 200;

const ids = checks.map(({ id }) => id) as [string, ...string[]];

const findingResponse = titled('DoctorFinding', {
  subjectType: field.text('The kind of the subject.', 'offer'),
  subjectId: field.text('The id of the subject.', sample.offerId),
  text: field.text('What is wrong with it.', 'waits, and has no open run'),
  workflow: workflowLinkOrNullTo('the subject', `offer-review/${sample.offerId}`),
});

const checkResponse = titled('DoctorCheck', {
  id: field.text('The name of the check.', 'review-without-run'),
  title: field.text('What the check expects.', 'Each offer in review has its open run'),
  state: enumeration(
    'DoctorCheckState',
    ['clean', 'found', 'incomplete', 'failed'],
    '`clean`: nothing is wrong. `found`: there are findings. `incomplete`: the time was not ' +
      'enough to look at everything. `failed`: Postgres or Temporal refused a part of the check.',
    'found',
  ),
  checked: field.integer('The number of subjects that the check read.', 12),
  found: field.integer('The number of findings.', 1),
  isRepairable: field.flag('Whether `npm run doctor -- --repair` can repair its findings.', true),
  findings: list(findingResponse, 'The first findings, at most 20.'),
});

export const doctorResponse = titled('DoctorReport', {
  checkedAt: field.instant('When the checks began, in UTC.', sample.approvedAt),
  isClean: field.flag('Whether every check is `clean`.', false),
  checks: list(checkResponse, 'The checks, in the order in which they ran.'),
});

function stateOf(result: CheckResult): 'clean' | 'found' | 'incomplete' | 'failed' {
  if (isClean(result)) return 'clean';
  if (result.found > 0) return 'found';
  return result.error === null ? 'incomplete' : 'failed';
}

/** The comparison of the record with itself and with all runs. */
export const operatorDoctorRoute: AddRoutes = (app, { lists, doctor, sealer, temporalUi }) => {
  const route = operatorRoutes(app, { role: 'Admin', tag: 'Operator: doctor' });
  route({
    at: 'GET /operator/v1/doctor',
    operationId: 'examineRecord',
    summary: 'Check the record against itself and against all runs',
    description:
      'Compares rows that wait with the open runs in Temporal, both ways, and checks attempts, ' +
      'supply options, histories and kept counts. Changes nothing. The call takes at most ten ' +
      'seconds. Each check has its share of them, and those that it was too short for are ' +
      '`incomplete`: ask for these alone, or run `npm run doctor` on the server, which has no ' +
      'time limit and can repair.',
    query: query({ check: enumParameter(ids, 'Only this check.', 'review-without-run') }),
    payload: doctorResponse,
    handler: async ({ query: { check }, request }) => {
      const checkedAt = new Date();
      const chosen = checks.filter(({ id }) => check === null || check === id);
      const { runs, retentionMs } = doctor;
      const histories = () => doctor.readHistories(historiesMax);
      // The call's time has no room for a second look at runs with a task in progress.
      const context = { sql: lists, runs, histories, retentionMs, sealer, taskMs: 0 };
      const results = await examineWithin(context, chosen, { timeLimitMs, findingsMax });
      for (const { id, error: err } of results) {
        if (err !== null) request.log.warn({ err, check: id }, 'a check of the doctor failed');
      }
      return {
        checkedAt,
        isClean: results.every(isClean),
        checks: results.map((result) => ({
          ...result,
          state: stateOf(result),
          findings: result.findings.map(({ workflowId, ...finding }) => ({
            ...finding,
            workflow: workflowId === null ? null : workflowLink(workflowId, temporalUi),
          })),
        })),
      };
    },
  });
};
