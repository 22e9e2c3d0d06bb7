import { fitsCurrency } from '@vuka/money/currencies';
import { corridorOf } from '@vuka/money/directions';
import * as z from 'zod/mini';
import { reason } from '../texts/reason.ts';
import type { Direction } from './common.ts';

interface Order {
  direction: Direction;
  sourceAmount: string;
  targetAmount?: string;
}

/**
 * Refuses an order whose amounts have decimals that the currencies of its direction do not have. The annotation lets
 * the web app's build drop the schemas that it does not use.
 */
// @__NO_SIDE_EFFECTS__
export function fitDirection<Schema extends z.ZodMiniType<Order>>(schema: Schema): Schema {
  return schema.check(
    z.refine(({ direction, sourceAmount }) => fitsCurrency(sourceAmount, corridorOf(direction).source), {
      error: reason('amount_not_whole'),
      path: ['sourceAmount'],
    }),
    z.refine(({ direction, targetAmount = '' }) => fitsCurrency(targetAmount, corridorOf(direction).target), {
      error: reason('amount_not_whole'),
      path: ['targetAmount'],
    }),
  );
}
