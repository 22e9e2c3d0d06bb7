import { useStore } from '@nanostores/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MerchantLimits as MerchantLimitsSchema } from '@vuka/contracts/http/limits';
import { showFailure } from '#shared/admin/failure-text.ts';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { callApi, errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { LimitBars } from '#shared/limits/limit-bars.tsx';
import { TierBadge } from '#shared/limits/tier-badge.tsx';
import { showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { changeBusiness, MERCHANTS_KEY } from './merchants.api.ts';

const MESSAGES = i18n('admin/merchant-limits', {
  title: 'Limits',
  makeBusiness: 'Apply business limits',
  endBusiness: 'Take the limits of a business away',
  done: 'Limits changed',
  failed: 'The limits were not changed',
  loadFailed: 'The limits could not be loaded',
});

/** What is left changes with each transfer. */
const REFRESH_MS = 30_000;

/** A merchant's tier, what is left of their limits, and whether they have those of a business. */
export function MerchantLimits({ id }: { id: string }) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const mayChange = useMayDo()('limits.change');
  const query = useQuery({
    queryKey: [...MERCHANTS_KEY, id, 'limits'],
    queryFn: ({ signal }) => callApi(`/api/admin/merchants/${id}/limits`, MerchantLimitsSchema, { signal }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
    meta: { silent: true },
  });
  const change = useMutation({
    mutationFn: (isBusiness: boolean) => changeBusiness(id, isBusiness),
    meta: { silent: true },
    onSuccess: () => showToast({ title: t.done, tone: 'success' }),
    onError: (error) => showFailure(t.failed, error, errorMessage(error)),
    onSettled: () => client.invalidateQueries({ queryKey: MERCHANTS_KEY }),
  });
  return (
    <Card title={t.title} aside={query.data ? <TierBadge tier={query.data.tier} /> : null}>
      <QueryBody query={query} failed={(detail) => ({ title: t.loadFailed, detail })}>
        {({ limits, isBusiness }) => (
          <>
            <div className="grid divide-y divide-line px-4 sm:px-5">
              {limits.map((each) => (
                <LimitBars key={each.currency} limits={each} />
              ))}
            </div>
            {mayChange ? (
              <div className="border-t border-line px-4 py-3 sm:px-5">
                <Button
                  variant="secondary"
                  size="small"
                  isBusy={change.isPending}
                  onClick={() => change.mutate(!isBusiness)}
                >
                  {isBusiness ? t.endBusiness : t.makeBusiness}
                </Button>
              </div>
            ) : null}
          </>
        )}
      </QueryBody>
    </Card>
  );
}
