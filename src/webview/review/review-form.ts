/** What the reader can change of a plan: the target, the waves, and what happens between them. Each field says below itself what is wrong with it. */
import { readReviewDraft, type ReviewDraft, type ReviewField } from '../../core/picture/review-draft';
import { describeWaves, type ReviewPage } from '../../core/picture/review-page';
import { createElement, setText } from '../elements';

export interface ReviewFormEvents {
  onText(field: ReviewField, text: string): void;
  onBetween(between: ReviewDraft['between']): void;
}

interface FieldSpec {
  readonly field: ReviewField;
  /** Words, not a number. */
  readonly isText?: boolean;
  readonly label: string;
  readonly unit: string;
  readonly hint: string;
}

const FIELDS: readonly FieldSpec[] = [
  {
    field: 'targetSeconds',
    label: 'Target recovery time',
    unit: 'seconds',
    hint: '60 is the default of new databases since SQL Server 2016.',
  },
  {
    field: 'reason',
    isText: true,
    label: 'Reason for this target',
    unit: '',
    hint: 'Stands in the change record. 0, automatic checkpoints, needs one.',
  },
  { field: 'canary', label: 'First wave', unit: 'databases', hint: 'A few that go first. Empty: no such wave.' },
  { field: 'batch', label: 'Each wave after it', unit: 'databases', hint: 'Empty: all that are left.' },
];
const PAUSE_FIELDS: readonly FieldSpec[] = [
  { field: 'pauseMinutes', label: 'Pause between two waves', unit: 'minutes', hint: 'The script keeps its connection open meanwhile.' },
  {
    field: 'stopAboveWriteMs',
    label: 'Stop where a data write takes more than',
    unit: 'ms on average',
    hint: 'Of the databases of the wave, during the pause. Empty: go on in any case.',
  },
];
const BETWEEN: readonly { readonly value: ReviewDraft['between']; readonly label: string }[] = [
  { value: 'scripts', label: 'Each wave is a script of its own' },
  { value: 'pause', label: 'One script pauses between waves' },
];

interface Field {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  readonly error: HTMLElement;
}

export class ReviewForm {
  readonly element: HTMLElement;
  private readonly fields = new Map<ReviewField, Field>();
  private readonly choices = new Map<ReviewDraft['between'], HTMLInputElement>();
  private readonly pause: HTMLElement;
  private readonly shortTarget: HTMLElement;
  private readonly waves: HTMLElement;

  constructor(
    private readonly document: Document,
    private readonly events: ReviewFormEvents,
  ) {
    const create = (spec: FieldSpec): HTMLElement => this.createField(spec).element;
    this.shortTarget = createElement(document, 'p', { class: 'note warning', attributes: { hidden: '' } });
    this.waves = createElement(document, 'p', { class: 'dim num', attributes: { hidden: '' } });
    this.pause = createElement(document, 'div', { attributes: { hidden: '' }, children: PAUSE_FIELDS.map(create) });
    const [target, reason, ...waves] = FIELDS.map(create);
    const between = createElement(document, 'fieldset', {
      children: [
        createElement(document, 'legend', { text: 'Between two waves' }),
        ...BETWEEN.map((choice) => this.createChoice(choice)),
        this.pause,
      ],
    });
    this.element = createElement(document, 'form', {
      class: 'review-form',
      attributes: { 'aria-label': 'What the scripts do', novalidate: '' },
      children: [target ?? null, this.shortTarget, reason ?? null, ...waves, between, this.waves],
    });
    this.element.addEventListener('submit', (event) => event.preventDefault());
  }

  /** Writes a draft into the fields: only where it came from elsewhere than from them. */
  fill(draft: ReviewDraft): void {
    for (const [field, { input }] of this.fields) if (input.value !== draft.texts[field]) input.value = draft.texts[field];
    for (const [value, input] of this.choices) input.checked = value === draft.between;
  }

  update(draft: ReviewDraft, page: ReviewPage | null): void {
    const { errors } = readReviewDraft(draft);
    for (const [field, { input, error }] of this.fields) {
      const sentence = errors[field] ?? '';
      setText(error, sentence);
      error.hidden = sentence === '';
      if (sentence === '') input.removeAttribute('aria-invalid');
      else input.setAttribute('aria-invalid', 'true');
    }
    this.pause.hidden = draft.between !== 'pause';
    show(this.shortTarget, page?.shortTarget ?? '');
    show(this.waves, page === null || page.waves.length < 2 ? '' : `${describeWaves(page.waves)} ${page.order}`.trim());
  }

  private createField({ field, isText = false, label, unit, hint }: FieldSpec): Field {
    const id = `field-${field}`;
    const input = createElement(this.document, 'input', {
      class: isText ? 'words' : 'num',
      attributes: {
        id,
        type: 'text',
        inputmode: isText ? null : 'numeric',
        autocomplete: 'off',
        'aria-describedby': `${id}-unit ${id}-hint ${id}-error`,
      },
    });
    input.addEventListener('input', () => this.events.onText(field, input.value));
    const error = createElement(this.document, 'p', { class: 'field-error', attributes: { id: `${id}-error`, hidden: '' } });
    const element = createElement(this.document, 'div', {
      class: 'field',
      children: [
        createElement(this.document, 'label', { text: label, attributes: { for: id } }),
        createElement(this.document, 'div', {
          class: 'field-value',
          children: [input, createElement(this.document, 'span', { text: unit, attributes: { id: `${id}-unit` } })],
        }),
        createElement(this.document, 'p', { class: 'dim hint', text: hint, attributes: { id: `${id}-hint` } }),
        error,
      ],
    });
    const made = { element, input, error };
    this.fields.set(field, made);
    return made;
  }

  private createChoice({ value, label }: (typeof BETWEEN)[number]): HTMLElement {
    const input = createElement(this.document, 'input', { attributes: { type: 'radio', name: 'between', value } });
    input.addEventListener('change', () => this.events.onBetween(value));
    this.choices.set(value, input);
    return createElement(this.document, 'label', { class: 'choice', children: [input, label] });
  }
}

function show(element: HTMLElement, text: string): void {
  setText(element, text);
  element.hidden = text === '';
}
