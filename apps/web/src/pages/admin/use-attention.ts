import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { AdminRight } from '@vuka/contracts/http/admin-rights';
import type { Administrator } from '@vuka/contracts/http/administrators';
import type { Queues } from '@vuka/contracts/http/queues';
import { adjustmentsQuery } from '#features/adjustments/adjustments.api.ts';
import { TIER_LIMIT_PROPOSALS } from '#features/admin-limits/admin-limits.api.ts';
import type { Attention } from '#features/admin-overview/attention.ts';
import { overviewQuery } from '#features/admin-overview/overview.api.ts';
import { LIMIT_PROPOSALS } from '#features/admin-settings/admin-settings.api.ts';
import { adminWithdrawalsQuery } from '#features/admin-withdrawals/admin-withdrawals.api.ts';
import { administratorsQuery } from '#features/administrators/administrators.api.ts';
import { largeCreditsQuery } from '#features/merchant-credit/large-credits.api.ts';
import { isLeft } from '#features/queues/queue-state.ts';
import { queuesQuery } from '#features/queues/queues.api.ts';
import { RATE_PROPOSALS } from '#features/rate-setting/rate-setting.api.ts';
import { reconciliationQuery } from '#features/reconciliation/reconciliation.api.ts';
import { waitingProposalsQuery } from '#shared/admin/review-list.ts';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { PATHS } from '#shared/paths.ts';

const WAITING = 'awaiting_approval';
const REFRESH_MS = 30_000;

interface Listed {
  data?: readonly unknown[] | undefined;
  hasNextPage: boolean;
  isError: boolean;
}

const listed = ({ data, hasNextPage, isError }: Listed) => ({
  count: data?.length,
  hasMore: hasNextPage,
  isUnavailable: isError,
});

/** Undefined unless the figure of every queue is known, which needs the broker. */
function countDead(answer: Queues | undefined): number | undefined {
  if (!answer?.connected || answer.queues.some(({ keepsDead, dead }) => keepsDead && dead === null)) return undefined;
  return answer.queues.reduce((sum, { dead }) => sum + (dead ?? 0), 0);
}

/** What the figures of the queues call for. */
function ofQueues({ data, isPending }: { data?: Queues | undefined; isPending: boolean }): Attention[] {
  const dead = countDead(data);
  return [
    { what: 'dead', count: dead, isUnavailable: !isPending && dead === undefined, to: PATHS.queues },
    // If the figures cannot be read, that is said of the dead messages, once.
    { what: 'left', count: isPending ? undefined : (data?.queues.filter(isLeft).length ?? 0), to: PATHS.queues },
  ];
}

/** Whether a proposed role or a requested unlock waits for another administrator. */
const isWaiting = ({ roleProposal, unlockRequest }: Administrator): boolean =>
  roleProposal !== null || unlockRequest !== null;

/** The items that wait for an administrator, limited to pages that the role may open. */
export function useAttention(): Attention[] {
  const mayDo = useMayDo();
  const ifMay = (right: AdminRight) => ({ refetchInterval: REFRESH_MS, enabled: mayDo(right) });
  const overview = useQuery(overviewQuery());
  const withdrawals = useInfiniteQuery({ ...adminWithdrawalsQuery(WAITING), ...ifMay('withdrawals.read') });
  const credits = useInfiniteQuery({ ...largeCreditsQuery(WAITING), ...ifMay('credits.read') });
  const adjustments = useInfiniteQuery({ ...adjustmentsQuery(WAITING), ...ifMay('adjustments.read') });
  const rates = useInfiniteQuery({ ...waitingProposalsQuery(RATE_PROPOSALS), ...ifMay('rates.read') });
  const limits = useInfiniteQuery({ ...waitingProposalsQuery(TIER_LIMIT_PROPOSALS), ...ifMay('limits.read') });
  // They are on a tab of the settings. Roles that may read the settings may read the limits too.
  const approvalLimits = useInfiniteQuery({ ...waitingProposalsQuery(LIMIT_PROPOSALS), ...ifMay('settings.read') });
  const administrators = useQuery({ ...administratorsQuery(), ...ifMay('administrators.read') });
  const payouts = useQuery({ ...reconciliationQuery(), ...ifMay('reconciliation.read') });
  const queues = useQuery({ ...queuesQuery(), ...ifMay('queues.read') });
  const stuck = overview.data?.transfers?.stuck;
  const items: (Attention & { right: AdminRight })[] = [
    {
      what: 'stuck',
      count: stuck?.count,
      isUnavailable: overview.isError || overview.data?.transfers === null,
      since: stuck?.oldestCreatedAt,
      to: PATHS.transactionRecovery,
      right: 'recovery.read',
    },
    { what: 'withdrawals', ...listed(withdrawals), to: PATHS.adminWithdrawals, right: 'withdrawals.read' },
    { what: 'credits', ...listed(credits), to: PATHS.creditMerchant, right: 'credits.read' },
    { what: 'adjustments', ...listed(adjustments), to: PATHS.adjustments, right: 'adjustments.read' },
    { what: 'rates', ...listed(rates), to: PATHS.exchangeRates, right: 'rates.read' },
    { what: 'limits', ...listed(limits), to: PATHS.adminLimits, right: 'limits.read' },
    { what: 'approvalLimits', ...listed(approvalLimits), to: PATHS.adminSettings, right: 'settings.read' },
    {
      what: 'administrators',
      count: administrators.data?.filter(isWaiting).length,
      isUnavailable: administrators.isError,
      to: PATHS.adminSettings,
      right: 'administrators.read',
    },
    {
      what: 'exceptions',
      count: payouts.data?.openExceptions,
      isUnavailable: payouts.isError,
      to: PATHS.reconciliation,
      right: 'reconciliation.read',
    },
    ...ofQueues(queues).map((item) => ({ ...item, right: 'queues.read' as const })),
  ];
  return items.filter(({ right }) => mayDo(right));
}
