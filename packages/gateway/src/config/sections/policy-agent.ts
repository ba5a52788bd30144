/** Policy keys of `agents.<a>`, spread into its strict object beside the ground keys. */
export const policyAgentShape = {};
