import type { JsonObject } from '#web/rule/sentence/json.ts';
import { type Body, lineWords, sentenceOf } from '#web/rule/sentence/sentence.ts';
import { wordsOf } from '#web/rule/sentence/hole.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import { useRuleHome } from './use-rule-home.ts';

const LISTS = ['triggers', 'conditions', 'steps'] as const;

/** An automation as a sentence that nobody can change. */
export function RuleSentence({ definition }: { readonly definition: object }) {
  const home = useRuleHome();
  const sentence = sentenceOf(definition as JsonObject, home, true);
  return (
    <section class="panel rule-read">
      {LISTS.filter((name) => sentence[name].lines.length > 0).map((name) => (
        <div key={name}>
          <h2 class="rule-part-title">{ruleWords.parts[name]}</h2>
          <Lines body={sentence[name]} />
        </div>
      ))}
    </section>
  );
}

function Lines({ body: { lines, joint } }: { readonly body: Body }) {
  return (
    <ol class="rule-lines">
      {lines.map((line, index) => (
        <li key={line.pointer}>
          <p>
            {index === 0 || joint === 'then' ? '' : `${joint === 'or' ? ruleWords.or : ruleWords.and} `}
            {line.bodies.length === 0 ? lineWords(line) : wordsOf(line.pieces)}
          </p>
          {line.bodies.map((inner) => (
            <div key={inner.pointer} class="rule-body">
              {inner.title === '' ? null : <p class="rule-body-title">{inner.title}</p>}
              <Lines body={inner} />
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}
