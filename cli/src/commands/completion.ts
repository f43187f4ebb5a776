/** The commands and options of the program -> a script that completes them in a shell. */
import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'pwsh'] as const;

type Completed = ReturnType<typeof listCommands>[number];

export function writeCompletion(shell: (typeof SHELLS)[number], program: Command): string {
  const commands = listCommands(program);
  if (shell === 'pwsh') return writePwsh(commands);
  return `${shell === 'bash' ? '' : 'autoload -U +X bashcompinit && bashcompinit\n'}${writeBash(commands)}`;
}

/** With the name '' what is before any command. */
function listCommands(program: Command) {
  const names = program.commands.map((command) => command.name());
  const describe = (command: Command, words: readonly string[]) => {
    const options = [...command.options, ...(command === program ? [] : program.options)];
    const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
    const all = [...words, ...choices, ...options.flatMap(({ long }) => long ?? []), '--help'];
    return { name: command === program ? '' : command.name(), words: all, options };
  };
  return [describe(program, names), ...program.commands.map((command) => describe(command, []))];
}

function writeBash(commands: readonly Completed[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap(({ long, flags, argChoices }) => {
      if (argChoices !== undefined) return `    '${name} ${long}') words='${argChoices.join(' ')}' ;;`;
      if (/<(file|folder)>/.test(flags)) return `    '${name} ${long}') return ;;`;
      return /<[^<]*>/.test(flags) ? `    '${name} ${long}') words= ;;` : [];
    }),
  );
  return `_checkpoint_health() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= word words
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in ${commands.flatMap(({ name }) => (name === '' ? [] : [name])).join('|')}) command=$word; break ;; esac
  done
  case $command in
${commands.map(({ name, words }) => `    ${name === '' ? "''" : name}) words='${words.join(' ')}' ;;`).join('\n')}
  esac
  case "$command $before" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _checkpoint_health checkpoint-health
`;
}

function writePwsh(commands: readonly Completed[]): string {
  const list = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap(({ long, argChoices }) =>
      argChoices === undefined ? [] : `    '${name} ${long}' = @(${list(argChoices)})`,
    ),
  );
  return `Register-ArgumentCompleter -Native -CommandName checkpoint-health -ScriptBlock {
  param($current, $line, $cursor)
  $words = @{
${commands.map(({ name, words }) => `    '${name}' = @(${list(words)})`).join('\n')}
  }
  $values = @{
${values.join('\n')}
  }
  $given = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($current -ne '' -and $given.Count -gt 0) { $given = @($given | Select-Object -SkipLast 1) }
  $command = "$($given | Where-Object { $_ -ne '' -and $words.ContainsKey($_) } | Select-Object -First 1)"
  $found = $values["$command $($given | Select-Object -Last 1)"]
  if ($null -eq $found) { $found = $words[$command] }
  $found | Where-Object { $_ -like "$current*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;
}
