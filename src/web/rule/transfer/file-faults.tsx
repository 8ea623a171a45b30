import type { FieldError } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { fieldWords } from '#web/form/field-faults.ts';
import { Notice } from '#web/parts/notice.tsx';
import { problemWords } from '#web/strings/problem-words.ts';
import { ruleTransfer as transferWords } from '#web/strings/en/rule/transfer.ts';

/** What the hub refused: each fault with its place in the file, or one sentence where it has no place. */
export type FileFault = { readonly words: string; readonly errors: readonly FieldError[] };

export async function faultIfRefused(task: () => Promise<unknown>): Promise<FileFault | undefined> {
  try {
    await task();
    return undefined;
  } catch (cause) {
    if (cause instanceof HubProblem) return { words: problemWords(cause), errors: cause.errors };
    if (cause instanceof TypeError) return { words: problemWords(cause), errors: [] };
    throw cause;
  }
}

export function FileFaults({ fault }: { readonly fault: FileFault }) {
  if (fault.errors.length === 0) return <Notice tone="danger" text={fault.words} />;
  return (
    <Notice tone="danger" text={transferWords.faults}>
      <ul class="points">
        {fault.errors.map((error) => (
          <li key={error.pointer}>
            <Pointer pointer={error.pointer} /> {fieldWords(error)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The place in the file, as the hub names it. */
export function Pointer({ pointer }: { readonly pointer: string }) {
  return <code class="rule-pointer">{pointer}</code>;
}
