"""The convergence theorem on your own data: R, γ, R²/γ², and both inequalities of its proof."""
