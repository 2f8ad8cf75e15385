/*===- Main.c - a tool, which is in libjit ----------------------------------===*/
int JIT_TOOL_MAIN(int argc, char **argv);

int main(int argc, char **argv) { return JIT_TOOL_MAIN(argc, argv); }
