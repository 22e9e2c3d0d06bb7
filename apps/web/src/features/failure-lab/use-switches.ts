import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showFailure } from '#shared/admin/failure-text.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { failureLabQuery, switchFailures } from './failure-lab.api.ts';

const MESSAGES = i18n('admin/failure-switches', {
  failed: 'The simulator was not switched',
  failedDetail: 'An error occurred, please try again',
});

/** Switches scenarios; `pending` is the change being requested. */
export function useSwitches() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const { queryKey } = failureLabQuery();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: switchFailures,
    meta: { silent: true },
    // A response from before the switch must not be shown after it.
    onMutate: () => client.cancelQueries({ queryKey }),
    onSuccess: (lab) => client.setQueryData(queryKey, lab),
    onError: (error) => {
      showFailure(t.failed, error, t.failedDetail);
      return client.invalidateQueries({ queryKey });
    },
  });
  return { pending: isPending ? variables : undefined, order: mutate };
}
