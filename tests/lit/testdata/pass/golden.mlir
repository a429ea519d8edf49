// RUN: echo '100%% [a]' a\ b | golden %S/Inputs/echo.txt
