package bench
import ("testing";"strings";"context";"fmt";"os";"strconv";"slices";"github.com/jackc/pgx/v5/pgconn";"math/rand/v2")
func TestMicro(t *testing.T){
 ctx:=context.Background()
 rounds,_:=strconv.Atoi(os.Getenv("ROUNDS"))
 src,_:=os.ReadFile("../executors/postgres/settings.go"); s0:=string(src)
 _ = s0
 full:=`SELECT pg_catalog.set_config('tenantry.tenant_id', $1, true),
 pg_catalog.set_config('transaction_read_only', 'on', true),
 pg_catalog.set_config('statement_timeout', $2, true),
 pg_catalog.set_config('lock_timeout', $3, true),
 pg_catalog.set_config('search_path', $4, true),
 pg_catalog.set_config('TimeZone', 'UTC', true)`
 cases:=`,
 CASE WHEN pg_catalog.current_setting('DateStyle') <> 'ISO, MDY' THEN pg_catalog.set_config('DateStyle', 'ISO, MDY', true) END,
 CASE WHEN pg_catalog.current_setting('IntervalStyle') <> 'postgres' THEN pg_catalog.set_config('IntervalStyle', 'postgres', true) END,
 CASE WHEN pg_catalog.current_setting('extra_float_digits') <> '1' THEN pg_catalog.set_config('extra_float_digits', '1', true) END,
 CASE WHEN pg_catalog.current_setting('bytea_output') <> 'hex' THEN pg_catalog.set_config('bytea_output', 'hex', true) END,
 CASE WHEN pg_catalog.current_setting('xmlbinary') <> 'base64' THEN pg_catalog.set_config('xmlbinary', 'base64', true) END`
 mon:=`,
 CASE WHEN pg_catalog.current_setting('lc_monetary') <> 'C' THEN pg_catalog.set_config('lc_monetary', 'C', true) END`
 tz:="SET timezone='UTC'"
 tzcase:=strings.Replace(full,"pg_catalog.set_config('TimeZone', 'UTC', true)","CASE WHEN pg_catalog.current_setting('TimeZone') <> 'UTC' THEN pg_catalog.set_config('TimeZone', 'UTC', true) END",1)
 pathcase:=strings.Replace(tzcase,"pg_catalog.set_config('search_path', $4, true)","CASE WHEN pg_catalog.current_setting('search_path') <> $4 THEN pg_catalog.set_config('search_path', $4, true) END",1)
 qa,_:=os.ReadFile("/tmp/qA.sql"); qb,_:=os.ReadFile("/tmp/q.sql"); _=cases;_=mon;_=pathcase;_=tz
 list:=[]struct{n,s,conn,q string}{ {"none","","",string(qb)},{"nested","","",string(qa)},{"nested generic","","SET plan_cache_mode=force_generic_plan",string(qa)},{"inline26","","",strings.Replace(string(qb),"LIMIT $2","LIMIT 26+length($2)*0",1)},{"generic","","SET plan_cache_mode=force_generic_plan",string(qb)} }
 cost:=map[string][]float64{}
 conns:=map[string]*pgconn.PgConn{}
 for _,s:=range list { pg,err:=pgconn.Connect(ctx,"postgres://postgres@127.0.0.1:54999/bench"); if err!=nil {t.Fatal(err)}
   if s.conn!="" { if _,err:=pg.Exec(ctx,s.conn).ReadAll(); err!=nil {t.Fatal(err)} }
   if s.s!="" { if _,err=pg.Prepare(ctx,"s",s.s,nil);err!=nil {t.Fatal(s.n,err)} }
   if _,err:=pg.Prepare(ctx,"q",s.q,nil); err!=nil {t.Fatal(s.n,err)}
   conns[s.n]=pg }
 const n=10
 v:=[][]byte{[]byte("17"),[]byte("5000"),[]byte("500"),[]byte(`pg_catalog, "public"`)}
 for r:=range rounds+1 { for _,k:=range rand.Perm(len(list)) { s:=list[k]; pg:=conns[s.n]
   b,_:=spent(int(pg.PID()))
   p:=pg.StartPipeline(ctx)
   for range n { if s.s!="" {p.SendQueryPrepared("s",v,nil,nil)}; p.SendQueryPrepared("q",[][]byte{[]byte(strconv.Itoa(1+rand.IntN(1000))),[]byte("26")},nil,[]int16{1,1,0,0,1,1,0,0,1,1,0}); p.SendPipelineSync() }
   p.Flush()
   for { res,err:=p.GetResults(); if err!=nil {t.Fatal(s.n, err)}; if res==nil {break}; if rr,ok:=res.(*pgconn.ResultReader); ok { if _,err:=rr.Close(); err!=nil {t.Fatal(s.n,err)}} }
   if err:=p.Close(); err!=nil {t.Fatal(err)}
   a,_:=spent(int(pg.PID()))
   if r>0 { cost[s.n]=append(cost[s.n],float64(a-b)/1000/n) } } }
 for _,s:=range list { r,_:=conns[s.n].Exec(ctx,"select generic_plans,custom_plans from pg_prepared_statements").ReadAll(); fmt.Printf("%s/%s ",r[0].Rows[0][0],r[0].Rows[0][1]); c:=cost[s.n]; slices.Sort(c); fmt.Printf("%-16s p5 %.2f p10 %.2f p25 %.2f med %.2f\n",s.n,c[len(c)/20],c[len(c)/10],c[len(c)/4],median(c)) }
}
