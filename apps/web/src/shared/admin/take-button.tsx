import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '#shared/api-client.ts';
import { DecisionButton } from './decision-button.tsx';
import { showFailure } from './failure-text.ts';

interface TakeButtonProps {
  take: () => Promise<unknown>;
  text: string;
  /** The title of the message when `take` fails. */
  failed: string;
  /** The list that shows who has taken the item on. */
  listKey: QueryKey;
  /** Called with the reason of a refusal, besides the message. */
  onRefused?: (reason: string | undefined) => void;
}

/** Takes an item on, so that two administrators do not work on it. */
export function TakeButton({ take, text, failed, listKey, onRefused }: TakeButtonProps) {
  const client = useQueryClient();
  const taking = useMutation({
    mutationFn: take,
    meta: { silent: true },
    onError: (error) => {
      showFailure(failed, error, failed);
      if (error instanceof ApiError) onRefused?.(error.body?.reason);
    },
    onSettled: () => client.invalidateQueries({ queryKey: listKey }),
  });
  return (
    <DecisionButton variant="secondary" isPending={taking.isPending} onClick={() => taking.mutate()}>
      {text}
    </DecisionButton>
  );
}
