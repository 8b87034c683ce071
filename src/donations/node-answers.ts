import { z } from 'zod';
import { litoshiSchema } from '../outbound/litecoin-core.ts';
import { isHogEx, type ChainOutput, type ChainTransaction } from './record-transaction.ts';

export const poolSchema = z.object({
  /** False while a node that has started reads its mempool from the disk. */
  loaded: z.boolean(),
});

export const transactionSchema = z.object({
  txid: z.string(),
  /** Set for a mined transaction, which only a node with an index finds. */
  blockhash: z.string().optional(),
  vin: z.array(z.object({ txid: z.string().optional(), vout: z.int().optional() })),
  vout: z.array(
    z.object({
      n: z.int().optional(),
      value: litoshiSchema.optional(),
      scriptPubKey: z.object({ hex: z.string() }).optional(),
    }),
  ),
  /** MWEB kernels of mempool transactions; in a block, its HogEx has their peg-outs. */
  vkern: z
    .array(
      z.object({
        pegout: z
          .array(z.object({ value: litoshiSchema, scriptPubKey: z.object({ hex: z.string() }) }))
          .optional(),
      }),
    )
    .optional(),
});
export type NodeTransaction = z.output<typeof transactionSchema>;

export const blockSchema = z.object({
  hash: z.string(),
  height: z.int(),
  /** Epoch seconds. */
  time: z.int(),
  previousblockhash: z.string().optional(),
  nextblockhash: z.string().optional(),
  tx: z.array(transactionSchema),
});
export type Block = z.output<typeof blockSchema>;

export const headerSchema = z.object({
  /** -1 outside the chain. */
  confirmations: z.int(),
  nextblockhash: z.string().optional(),
  time: z.int(),
});

export function toChainTransaction(
  { txid, vin, vout, vkern = [] }: NodeTransaction,
  where: 'mempool' | 'block',
): ChainTransaction {
  const kind = isHogEx(vout[0]?.scriptPubKey?.hex) ? 'hogex' : 'plain';
  // Outputs inside MWEB have neither script nor value.
  const outputs: ChainOutput[] = vout.flatMap(({ n, value, scriptPubKey }) =>
    n === undefined || value === undefined || !scriptPubKey
      ? []
      : [{ vout: n, litoshi: value, script: scriptPubKey.hex, kind }],
  );
  const pegouts = where === 'block' ? [] : vkern.flatMap(({ pegout }) => pegout ?? []);
  return {
    txId: txid,
    outputs: [
      ...outputs,
      ...pegouts.map(({ value, scriptPubKey }, place): ChainOutput => ({
        // A peg-out has no output number; negative ones never meet a real one.
        vout: -1 - place,
        litoshi: value,
        script: scriptPubKey.hex,
        kind: 'pegout',
      })),
    ],
    spends: vin.flatMap(({ txid: spent, vout: place }) =>
      spent === undefined || place === undefined ? [] : [{ txId: spent, vout: place }],
    ),
  };
}
