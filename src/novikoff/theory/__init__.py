"""The convergence theorem on your own data: R, γ, the bound, and both inequalities of its proof."""
