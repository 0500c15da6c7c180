"""A synthetic grammar of maths word problems, and a checker that labels every step exactly."""
