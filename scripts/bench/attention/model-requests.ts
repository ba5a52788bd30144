/** What the clients of the day send to their models, as a step writes a request. */
export const MODELS: Readonly<Record<string, string>> = {
  anthropic: `https://api.anthropic.com/v1/messages?beta=true ${JSON.stringify({
    model: 'claude-sonnet-4-5',
    max_tokens: 32_000,
    stream: true,
    system: [{ type: 'text', text: 'You are a coding agent.', cache_control: { type: 'ephemeral' } }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Go on.' }] }],
    tools: [{ name: 'Bash', description: 'Runs a command', input_schema: { type: 'object' } }],
    metadata: { user_id: 'user_1' },
  })}`,
  openai: `https://api.openai.com/v1/responses ${JSON.stringify({
    model: 'gpt-5.2-codex',
    instructions: 'You are a coding agent.',
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] }],
    tools: [{ type: 'function', name: 'exec_command', parameters: { type: 'object' } }],
    tool_choice: 'auto',
    parallel_tool_calls: false,
    reasoning: { effort: 'medium' },
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'key',
  })}`,
};
