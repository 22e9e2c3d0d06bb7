import { useStore } from '@nanostores/react';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type * as z from 'zod/mini';
import { ApiError } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { isOutcomeUnknown } from '#shared/submission-key.ts';
import { showToast } from '#shared/toast-store.ts';
import { PinField } from '#shared/ui/pin-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { askForPinAgain, DialogFailure } from './dialog-failure.tsx';
import { FactList, type Facts } from './fact-list.tsx';
import { isPinNeeded, showFailure } from './failure-text.ts';
import { FormDialog } from './form-dialog.tsx';
import { canTryPinAgain } from './pin-question.ts';

const MESSAGES = i18n('admin/decision', { pin: 'Your PIN' });

type Typed = Record<string, string>;

export interface DecisionDialogProps {
  title: string;
  detail: string;
  /** What is decided on, where the title does not say it: on a phone the dialog covers the list. */
  facts?: Facts;
  /** The label of the button that decides. */
  confirm: string;
  isDanger?: boolean;
  /** An input besides the PIN, such as a reason. */
  field?: { name: string; label: string; hint?: string; maxLength: number };
  /** The contract of `pin` and the field. */
  schema: z.ZodMiniType;
  decide: (typed: Typed) => Promise<unknown>;
  /** Whether the decision removes something from a list, so that it is not found when the decision is repeated. */
  isRemoval?: boolean;
  outcome: { done: string; failed: string; failedDetail: string };
  /** The query key of the lists that show it. */
  listKey: QueryKey;
  /** Other queries that show the effect of the decision. */
  alsoChanged?: readonly QueryKey[];
  onClose: () => void;
}

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_found';

/** After an attempt without an answer, what is no longer found was removed by it, or by another administrator. */
function useRepeatable(decide: DecisionDialogProps['decide'], isRemoval: boolean) {
  const isRepeat = useRef(false);
  return async (typed: Typed): Promise<void> => {
    try {
      await decide(typed);
    } catch (error) {
      if (isRemoval && isRepeat.current && isNotFound(error)) return;
      isRepeat.current ||= isOutcomeUnknown(error);
      throw error;
    }
  };
}

/** Asks an administrator for their PIN, and any other input that a decision needs, and sends the decision once. */
export function DecisionDialog({ title, detail, confirm, isDanger = false, ...props }: DecisionDialogProps) {
  const { facts, field, schema, isRemoval = false, outcome, listKey, alsoChanged = [], onClose } = props;
  const decide = useRepeatable(props.decide, isRemoval);
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const form = useForm<Typed>(schema, { ...(field ? { [field.name]: '' } : {}), pin: '' });
  const deciding = useMutation({
    mutationFn: decide,
    meta: { silent: true },
    onSuccess() {
      showToast({ title: outcome.done, tone: 'success' });
      onClose();
    },
    onError(error) {
      // The same person can correct the input here, or send it again.
      if (isPinNeeded(error) || canTryPinAgain(error)) return askForPinAgain(form, error);
      showFailure(outcome.failed, error, outcome.failedDetail);
      onClose();
    },
    onSettled: () => Promise.all([listKey, ...alsoChanged].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  return (
    <FormDialog
      title={title}
      detail={detail}
      form={form}
      confirm={confirm}
      isDanger={isDanger}
      isPending={deciding.isPending}
      onSubmit={() => deciding.mutate(form.values)}
      onClose={onClose}
    >
      {facts ? <FactList facts={facts} /> : null}
      {field ? (
        <TextField
          {...form.field(field.name)}
          label={field.label}
          maxLength={field.maxLength}
          autoComplete="off"
          {...(field.hint ? { hint: field.hint } : {})}
        />
      ) : null}
      <PinField {...form.field('pin')} label={t.pin} autoComplete="off" />
      <DialogFailure error={deciding.error} title={outcome.failed} fallback={outcome.failedDetail} />
    </FormDialog>
  );
}
