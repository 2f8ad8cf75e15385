# cmake -DROOT=<source tree> -DFILES=<list file> -DOUTPUT=<header> -P SourceDigest.cmake - writes the digest of the files' names and
# bytes to a header, if it is another one than before.
file(STRINGS ${FILES} files)
set(digests)
foreach(file ${files})
  file(SHA256 ${ROOT}/${file} digest)
  string(APPEND digests "${file} ${digest}\n")
endforeach()
string(SHA256 digest "${digests}")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define JIT_SOURCE_DIGEST \"${digest}\"\n")
