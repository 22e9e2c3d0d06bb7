import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { USER_KEY } from '#shared/session.ts';
import { followOtherTabs, sessionEndsAt, watchUse } from '#shared/use-of-session.ts';

const WARN_MS = 60_000;
const CHECK_EVERY_MS = 5_000;

/**
 * The time at which the session ends, once that is less than a minute away; undefined before. The hook first asks the
 * server, and then again every few seconds. That request extends the session if the user was active in this tab since
 * the last one, and it reveals activity in other tabs. Only the server decides that the session has ended: without an
 * answer nothing ends.
 */
export function useSessionEnd() {
  const client = useQueryClient();
  const [warnedEndMs, setWarnedEndMs] = useState<number>();
  const ask = useCallback(async (): Promise<boolean> => {
    await client.refetchQueries({ queryKey: USER_KEY, exact: true });
    return client.getQueryState(USER_KEY)?.status === 'success';
  }, [client]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    const leftMs = (): number => (sessionEndsAt.get() ?? Number.POSITIVE_INFINITY) - Date.now();
    const check = async (): Promise<void> => {
      await ask();
      if (isStopped) return;
      const isNear = leftMs() <= WARN_MS && leftMs() > 0;
      setWarnedEndMs(isNear ? sessionEndsAt.get() : undefined);
      plan();
    };
    const plan = (): void => {
      clearTimeout(timer);
      if (leftMs() === Number.POSITIVE_INFINITY) return;
      if (leftMs() > WARN_MS) setWarnedEndMs(undefined);
      timer = setTimeout(() => void check(), Math.max(leftMs() - WARN_MS, CHECK_EVERY_MS));
    };
    const stops = [watchUse(), followOtherTabs(), sessionEndsAt.subscribe(plan)];
    return () => {
      isStopped = true;
      for (const stop of stops) stop();
      clearTimeout(timer);
    };
  }, [ask]);

  return { endsAtMs: warnedEndMs, ask };
}
