/** These schemas read the answers of Litecoin Core. */
import { z } from 'zod';
import { litoshiSchema } from '../outbound/litecoin-core.ts';
import { inputsSchema } from './record-transaction.ts';

export const poolSchema = z.object({
  /** False while a node that has started reads its mempool from the disk. */
  loaded: z.boolean(),
});

export const transactionSchema = z
  .object({
    txid: z.string(),
    /** Set for a mined transaction, which only a node with an index finds. */
    blockhash: z.string().optional(),
    vin: inputsSchema,
    vout: z.array(
      z.object({
        n: z.int().optional(),
        value: litoshiSchema.optional(),
        scriptPubKey: z.object({ hex: z.string() }).optional(),
      }),
    ),
  })
  .transform(({ txid, blockhash, vin, vout }) => ({
    txId: txid,
    blockhash,
    inputs: vin,
    // Outputs inside MWEB have neither script nor value.
    outputs: vout.flatMap(({ n, value, scriptPubKey }) =>
      n === undefined || value === undefined || !scriptPubKey
        ? []
        : [{ vout: n, litoshi: value, script: scriptPubKey.hex }],
    ),
  }));

export const blockSchema = z.object({
  hash: z.string(),
  height: z.int(),
  /** Epoch seconds. */
  time: z.int(),
  tx: z.array(transactionSchema),
});

export const headerSchema = z.object({
  /** -1 outside the chain. */
  confirmations: z.int(),
  nextblockhash: z.string().optional(),
  time: z.int(),
});
