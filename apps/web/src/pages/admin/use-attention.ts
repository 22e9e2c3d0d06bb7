import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { LimitProposals, RateProposals } from '@vuka/contracts/http/proposals';
import type { Queues } from '@vuka/contracts/http/queues';
import { TierLimitsProposals } from '@vuka/contracts/http/tier-limits';
import type * as z from 'zod/mini';
import { adjustmentsQuery } from '#features/adjustments/adjustments.api.ts';
import { TIER_LIMIT_PROPOSALS_KEY } from '#features/admin-limits/admin-limits.api.ts';
import type { Attention } from '#features/admin-overview/needs-attention.tsx';
import { overviewQuery } from '#features/admin-overview/overview.api.ts';
import { LIMIT_PROPOSALS_KEY } from '#features/admin-settings/admin-settings.api.ts';
import { adminWithdrawalsQuery } from '#features/admin-withdrawals/admin-withdrawals.api.ts';
import { largeCreditsQuery } from '#features/merchant-credit/large-credits.api.ts';
import { queuesQuery } from '#features/queues/queues.api.ts';
import { RATE_PROPOSALS_KEY } from '#features/rate-setting/rate-setting.api.ts';
import { reconciliationQuery } from '#features/reconciliation/reconciliation.api.ts';
import { waitingProposalsQuery } from '#shared/admin/review-list.ts';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { PATHS } from '#shared/paths.ts';

const WAITING = 'awaiting_approval';
const REFRESH_MS = 30_000;

const ratesProposed = () => waitingProposalsQuery(RATE_PROPOSALS_KEY[0], RateProposals);
const limitsProposed = () => waitingProposalsQuery(TIER_LIMIT_PROPOSALS_KEY[0], TierLimitsProposals);
const approvalLimitsProposed = () => waitingProposalsQuery(LIMIT_PROPOSALS_KEY[0], LimitProposals);

interface Listed {
  data?: readonly unknown[] | undefined;
  hasNextPage: boolean;
  isError: boolean;
}

/** Undefined unless the figure of every queue is known, which needs the broker. */
function countDead(answer: z.infer<typeof Queues> | undefined): number | undefined {
  if (!answer?.connected || answer.queues.some(({ keepsDead, dead }) => keepsDead && dead === null)) return undefined;
  return answer.queues.reduce((sum, { dead }) => sum + (dead ?? 0), 0);
}

/** The items that wait for an administrator, limited to pages that the role may open. */
export function useAttention(): Attention[] {
  const mayDo = useMayDo();
  const [mayWithdraw, mayCredit, mayAdjust, mayRate, mayLimit, mayReconcile, mayQueue] = [
    mayDo('withdrawals.read'),
    mayDo('credits.read'),
    mayDo('adjustments.read'),
    mayDo('rates.read'),
    mayDo('limits.read'),
    mayDo('reconciliation.read'),
    mayDo('queues.read'),
  ];
  // These proposals are on a tab of the settings, which needs a right of its own.
  const maySet = mayLimit && mayDo('settings.read');
  const refetchInterval = REFRESH_MS;
  const overview = useQuery(overviewQuery());
  const withdrawals = useInfiniteQuery({ ...adminWithdrawalsQuery(WAITING), refetchInterval, enabled: mayWithdraw });
  const credits = useInfiniteQuery({ ...largeCreditsQuery(WAITING), refetchInterval, enabled: mayCredit });
  const adjustments = useInfiniteQuery({ ...adjustmentsQuery(WAITING), refetchInterval, enabled: mayAdjust });
  const rates = useInfiniteQuery({ ...ratesProposed(), refetchInterval, enabled: mayRate });
  const limits = useInfiniteQuery({ ...limitsProposed(), refetchInterval, enabled: mayLimit });
  const approvalLimits = useInfiniteQuery({ ...approvalLimitsProposed(), refetchInterval, enabled: maySet });
  const payouts = useQuery({ ...reconciliationQuery(), refetchInterval, enabled: mayReconcile });
  const queues = useQuery({ ...queuesQuery(), refetchInterval, enabled: mayQueue });
  const stuck = overview.data?.transfers?.stuck;
  const dead = countDead(queues.data);
  const listed = ({ data, hasNextPage, isError }: Listed) => ({
    count: data?.length,
    hasMore: hasNextPage,
    isUnavailable: isError,
  });
  return [
    {
      what: 'stuck',
      count: stuck?.count,
      isUnavailable: overview.isError || overview.data?.transfers === null,
      since: stuck?.oldestCreatedAt,
      to: PATHS.transactionRecovery,
    },
    ...(mayWithdraw ? [{ what: 'withdrawals' as const, ...listed(withdrawals), to: PATHS.adminWithdrawals }] : []),
    ...(mayCredit ? [{ what: 'credits' as const, ...listed(credits), to: PATHS.creditMerchant }] : []),
    ...(mayAdjust ? [{ what: 'adjustments' as const, ...listed(adjustments), to: PATHS.adjustments }] : []),
    ...(mayRate ? [{ what: 'rates' as const, ...listed(rates), to: PATHS.exchangeRates }] : []),
    ...(mayLimit ? [{ what: 'limits' as const, ...listed(limits), to: PATHS.adminLimits }] : []),
    ...(maySet ? [{ what: 'approvalLimits' as const, ...listed(approvalLimits), to: PATHS.adminSettings }] : []),
    ...(mayReconcile
      ? [
          {
            what: 'exceptions' as const,
            count: payouts.data?.openExceptions,
            isUnavailable: payouts.isError,
            to: PATHS.reconciliation,
          },
        ]
      : []),
    ...(mayQueue
      ? [
          {
            what: 'dead' as const,
            count: dead,
            isUnavailable: !queues.isPending && dead === undefined,
            to: PATHS.queues,
          },
        ]
      : []),
  ];
}
